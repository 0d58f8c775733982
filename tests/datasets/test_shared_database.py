"""Small runs share one database in memory, and see nothing of each other."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from contextvars import Context
from functools import wraps
from pathlib import Path
from typing import ParamSpec

import duckdb
import pytest

from sitemapaudit import Run
from sitemapaudit.datasets.database import (
    connect,
    is_out_of_memory,
    load_tables,
    parquet_rows,
    share_database,
)
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.items.schema import TABLES
from sitemapaudit.runs.folders import table_file
from tests.support.paths import PROJECT
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_run

P = ParamSpec("P")
URL = "https://www.example.com/"


def unshared(test: Callable[P, None]) -> Callable[P, None]:
    """Let a test share no database with the others."""

    @wraps(test)
    def run_alone(*args: P.args, **kwargs: P.kwargs) -> None:
        Context().run(test, *args, **kwargs)

    return run_alone


def names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return [name for (name,) in connection.execute("show tables").fetchall()]


@unshared
def test_connections_have_tables_of_their_own(tmp_path: Path) -> None:
    with share_database():
        with connect() as first:
            first.execute("create table numbers as select 1 as number")
            with connect(tmp_path / "scratch", 64, in_memory=True) as second:
                assert names(second) == []
                second.execute("create table numbers as select 2 as number")
                assert second.execute("select number from numbers").fetchall() == [(2,)]
            assert first.execute("select number from numbers").fetchall() == [(1,)]
        with connect() as third:
            assert names(third) == []


@unshared
def test_connections_have_the_macros_and_the_time_zone() -> None:
    with share_database(), connect() as connection:
        assert connection.execute("select host_of('https://a.example/b')").fetchall() == [
            ("a.example",)
        ]
        assert connection.execute("select current_setting('TimeZone')").fetchall() == [("UTC",)]


@unshared
def test_a_database_in_a_file_is_not_shared(tmp_path: Path) -> None:
    with share_database(), connect(tmp_path / "scratch", 64) as connection:
        assert (tmp_path / "scratch" / "tables.duckdb").exists()
        (limit,) = connection.execute("select current_setting('memory_limit')").fetchall()[0]
        with connect(tmp_path / "other", 512, in_memory=True):
            pass
        assert connection.execute("select current_setting('memory_limit')").fetchall() == [(limit,)]


@unshared
def test_the_tables_are_dropped_at_the_end() -> None:
    with share_database():
        connection = connect()
        connection.execute("create table numbers as select 1 as number")
    with pytest.raises(duckdb.ConnectionException):
        connection.execute("from numbers")
    with connect() as other, pytest.raises(duckdb.CatalogException):
        other.execute("from numbers")


@unshared
def test_the_tables_of_a_closed_connection_are_dropped() -> None:
    with share_database():
        with connect() as first:
            first.execute("create table numbers as select 1 as number")
        with connect() as second, connect() as third:
            databases = second.execute("select database_name from duckdb_databases()").fetchall()
            assert {name for (name,) in databases if "own_" in name} == {"own_2", "own_3"}
            second.execute("create table numbers as select 2 as number")
            third.execute("create table numbers as select 3 as number")
            with connect():
                assert second.execute("from numbers").fetchall() == [(2,)]


@unshared
def test_the_limits_of_a_connection_do_not_last(tmp_path: Path) -> None:
    query = "select current_setting('memory_limit'), current_setting('threads')"
    with share_database():
        with connect() as first:
            limits = first.execute(query).fetchall()
        with connect(tmp_path / "scratch", 64, in_memory=True) as second:
            assert second.execute(query).fetchall() != limits
        with connect() as third:
            assert third.execute(query).fetchall() == limits


@unshared
def test_what_is_shared_is_shared_within() -> None:
    with share_database():
        with share_database(), connect() as connection:
            connection.execute("create table numbers as select 1 as number")
            with connect() as other:
                databases = other.execute("select database_name from duckdb_databases()")
                assert len([name for (name,) in databases.fetchall() if "own_" in name]) == 2
        with connect() as after:
            assert after.execute("select 1").fetchall() == [(1,)]


def build_in(folder: Path, title: str) -> Run:
    return build_run(folder, [listed(URL), fetched_page(URL, title=title)], note=title)


def titles(run: Run) -> list[str]:
    """Return the titles of the pages that a connection loads; a file that is read is a view."""
    with connect() as connection:
        load_tables(connection, run.path, ["pages"])
        return [title for (title,) in connection.execute("select title from pages").fetchall()]


@unshared
def test_what_was_written_is_not_read_again(tmp_path: Path) -> None:
    with share_database():
        run = build_in(tmp_path, "Kept")
        with connect() as connection:
            load_tables(connection, run.path, TABLES)
            views = connection.execute("select view_name, sql from duckdb_views()").fetchall()
            kept = {name for name, sql in views if "own_1" in sql}
            assert kept == {"robots", "sitemaps", "entries", "pages"}
            for name in kept:
                file = parquet_rows(table_file(run.path, name))
                rows = connection.execute(f"from {name}").fetchall()
                assert rows == connection.execute(f"from {file}").fetchall()


@unshared
def test_tables_are_kept_until_the_next_build(tmp_path: Path) -> None:
    with share_database():
        runs = [build_in(tmp_path / title, title) for title in ("First", "Second", "Third")]
        assert list(map(titles, runs)) == [["First"], ["Second"], ["Third"]]
        with connect() as connection:
            databases = connection.execute("select database_name from duckdb_databases()")
            assert len([name for (name,) in databases.fetchall() if "own_" in name]) == 2


@unshared
def test_a_file_that_was_written_since_is_read(tmp_path: Path) -> None:
    with share_database():
        run, other = (build_in(tmp_path / title, title) for title in ("Older", "Newer"))
        shutil.copy(table_file(run.path, "pages"), table_file(other.path, "pages"))
        assert titles(other) == ["Older"]


def fill(connection: duckdb.DuckDBPyConnection, inserts: int) -> None:
    """Fill a table with what cannot be compressed."""
    connection.execute("create table filled (number ubigint, text varchar)")
    for _ in range(inserts):
        connection.execute(
            "insert into filled select hash(random()), md5(random()::varchar) from range(20000)"
        )


@unshared
@pytest.mark.parametrize("megabytes", [16, 20, 24, 28, 32])
def test_tables_that_fill_the_memory_fail_as_such(tmp_path: Path, megabytes: int) -> None:
    """Of some statements, only the commit fails."""
    with (
        share_database(),
        connect(tmp_path / "scratch", megabytes, in_memory=True) as connection,
        pytest.raises(duckdb.Error) as failure,
    ):
        fill(connection, 1_000)
    assert is_out_of_memory(failure.value)


@unshared
@pytest.mark.parametrize("megabytes", [16, 20, 24])
def test_what_the_memory_does_not_hold_is_done_with_a_file(tmp_path: Path, megabytes: int) -> None:
    attempts: list[str] = []

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[int]]:
        attempts.append(connection.execute("select current_database()").fetchall()[0][0])
        fill(connection, 40)
        return connection.execute("select count(*) from filled").fetchall()

    with share_database():
        assert run_with_memory_limit(megabytes, tmp_path, work, "Filling") == [(800_000,)]
    assert attempts[0].startswith("own_")
    assert attempts[-1] == "tables"


@unshared
def test_work_that_needs_more_memory_fails_and_writes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    query = "select range as number, repeat('x', 100) || range as text from range(1000000)"
    with (
        share_database(),
        connect(tmp_path / "scratch", 8, in_memory=True) as connection,
        pytest.raises(duckdb.OutOfMemoryException),
    ):
        connection.execute(f"create table large as {query} order by text")
    assert [file.name for file in tmp_path.iterdir()] == ["scratch"]


OUTLIVED = """
import threading, time
from contextvars import copy_context
from sitemapaudit.datasets.database import connect, share_database

with share_database(), connect() as connection:
    connection.execute("select 1")
    threading.Thread(target=copy_context().run, args=(time.sleep, 60), daemon=True).start()
"""


def test_a_thread_that_outlives_the_database_does_not_keep_it() -> None:
    """DuckDB's library reports objects that exist at the end of a process as leaks."""
    done = subprocess.run(
        [sys.executable, "-c", OUTLIVED], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


@unshared
@pytest.mark.parametrize("memory", [None, 32])
def test_nothing_is_written_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: int | None
) -> None:
    monkeypatch.chdir(tmp_path)
    with connect(memory=memory) as connection:
        connection.execute("set memory_limit = '32MB'; set threads = 1")
        connection.execute(
            "create table texts as select repeat(md5(i::text), 99) from range(9999) as numbers(i)"
        )
        assert connection.execute("select count(*) from duckdb_temporary_files()").fetchall() != [
            (0,)
        ]
        assert [*tmp_path.iterdir()] == []
