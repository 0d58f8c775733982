"""Rows come in order, in one part or many, and in memory that does not grow with them."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.sorting import Ordered, in_order
from sitemapaudit.datasets.tables import RESULTS

WIDE = "select md5(number::varchar) as url, repeat('x', 200) || hash(number) as text"
MEGABYTES = 24


@pytest.fixture
def small(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(tmp_path / "scratch", MEGABYTES) as connection:
        yield connection


def sorted_by(connection: duckdb.DuckDBPyConnection, wanted: Ordered, part: int) -> list[Any]:
    connection.execute("drop table if exists ordered")
    return connection.execute(in_order(connection, "ordered", wanted, part)).fetchall()


def test_parts_together_are_the_whole() -> None:
    with connect() as connection:
        connection.execute(f"create table pages as {WIDE} from range(10000) as numbers(number)")
        wanted = Ordered("from pages", "url", key="url")
        whole = sorted_by(connection, wanted, 10_000)
        assert sorted_by(connection, wanted, 999) == whole
        assert all(one[0] < other[0] for one, other in pairwise(whole))
        assert connection.sql("select count(*) from ordered").fetchall() == [(10_000,)]


def test_rows_that_are_all_alike_are_in_one_part() -> None:
    with connect() as connection:
        connection.execute("create table pages as select 'a' as url from range(100)")
        assert sorted_by(connection, Ordered("from pages", "url", key="url"), 9) == [("a",)] * 100


def test_few_rows_make_no_table() -> None:
    with connect() as connection:
        wanted = Ordered("select 'a' as url", "url", key="url")
        assert sorted_by(connection, wanted, 1) == [("a",)]
        assert connection.sql("show tables").fetchall() == []


def test_findings_stand_as_they_do_without_parts() -> None:
    """A rule whose name begins with that of another, and rows without a URL, among them."""
    with connect() as connection:
        connection.execute("""
            create table findings as
            select ['notice', 'warning', 'error'][1 + number % 3] as severity,
                ['noindex', 'noindex-x', 'noindexed'][1 + number % 7 % 3] as rule,
                if(number % 5 = 0, null, 'https://é.example/' || hash(number)) as url,
                if(number % 2 = 0, null, 'sitemap') as sitemap,
                number as position, 'said' as message
            from range(2000) as numbers(number)
        """)
        whole = sorted_by(connection, RESULTS["findings"], 2000)
        assert sorted_by(connection, RESULTS["findings"], 50) == whole


def test_many_rows_are_sorted_in_little_memory(
    small: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    small.execute(f"create table pages as {WIDE} from range(150_000) as numbers(number)")
    file = tmp_path / "sorted.parquet"
    query = in_order(small, "ordered", Ordered("from pages", "url", key="url"), 10_000)
    small.execute("set threads = 1")
    small.execute(f"copy ({query}) to '{file}' (row_group_size 2048)")
    urls = [url for (url,) in duckdb.execute(f"select url from '{file}'").fetchall()]
    assert len(urls) == 150_000
    assert urls == sorted(urls)
    with pytest.raises(duckdb.OutOfMemoryException):
        small.execute(f"copy (from pages order by url) to '{file}' (row_group_size 2048)")
