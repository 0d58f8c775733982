"""Rows are sorted in one part or many, in memory that does not grow with their number."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.sorting import SortedQuery, sort_rows
from sitemapaudit.datasets.tables import RESULTS

WIDE = "select md5(number::varchar) as url, repeat('x', 200) || hash(number) as text"
MEGABYTES = 24


@pytest.fixture
def small_connection(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(tmp_path / "scratch", MEGABYTES) as connection:
        yield connection


def sorted_rows(connection: duckdb.DuckDBPyConnection, query: SortedQuery, part: int) -> list[Any]:
    connection.execute("drop table if exists ordered")
    return connection.execute(sort_rows(connection, "ordered", query, part)).fetchall()


def test_the_parts_together_are_all_rows() -> None:
    with connect() as connection:
        connection.execute(f"create table pages as {WIDE} from range(10000) as numbers(number)")
        query = SortedQuery("from pages", "url", key="url")
        whole = sorted_rows(connection, query, 10_000)
        assert sorted_rows(connection, query, 999) == whole
        assert all(one[0] < other[0] for one, other in pairwise(whole))
        assert connection.sql("select count(*) from ordered").fetchall() == [(10_000,)]


def test_equal_rows_are_in_one_part() -> None:
    with connect() as connection:
        connection.execute("create table pages as select 'a' as url from range(100)")
        assert (
            sorted_rows(connection, SortedQuery("from pages", "url", key="url"), 9)
            == [("a",)] * 100
        )


def test_few_rows_need_no_table() -> None:
    with connect() as connection:
        query = SortedQuery("select 'a' as url", "url", key="url")
        assert sorted_rows(connection, query, 1) == [("a",)]
        assert connection.sql("show tables").fetchall() == []


def test_findings_have_the_same_order_with_parts() -> None:
    """Some rules have names that begin with another's, and some rows have no URL."""
    with connect() as connection:
        connection.execute("""
            create table findings as
            select ['notice', 'warning', 'error'][1 + number % 3] as severity,
                ['noindex', 'noindex-x', 'noindexed'][1 + number % 7 % 3] as rule,
                if(number % 5 = 0, null, 'https://é.example/' || hash(number)) as url,
                if(number % 2 = 0, null, 'sitemap') as sitemap,
                number as position, 'text' as message, 'values' as evidence
            from range(2000) as numbers(number)
        """)
        whole = sorted_rows(connection, RESULTS["findings"], 2000)
        assert sorted_rows(connection, RESULTS["findings"], 50) == whole


def test_many_rows_are_sorted_in_little_memory(
    small_connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    small_connection.execute(f"create table pages as {WIDE} from range(150_000) as numbers(number)")
    file = tmp_path / "sorted.parquet"
    query = sort_rows(
        small_connection, "ordered", SortedQuery("from pages", "url", key="url"), 10_000
    )
    small_connection.execute(f"copy ({query}) to '{file}' (row_group_size 2048)")
    urls = [url for (url,) in duckdb.execute(f"select url from '{file}'").fetchall()]
    assert len(urls) == 150_000
    assert urls == sorted(urls)
    with pytest.raises(duckdb.OutOfMemoryException):
        small_connection.execute(
            f"copy (from pages order by url) to '{file}' (row_group_size 2048)"
        )
