"""Small runs share one database in memory, and see nothing of each other."""

from pathlib import Path

import duckdb
import pytest

from sitemapaudit.datasets.database import connect, share_database


def names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return [name for (name,) in connection.execute("show tables").fetchall()]


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


def test_connections_have_the_macros_and_the_time_zone() -> None:
    with share_database(), connect() as connection:
        assert connection.execute("select host_of('https://a.example/b')").fetchall() == [
            ("a.example",)
        ]
        assert connection.execute("select current_setting('TimeZone')").fetchall() == [("UTC",)]


def test_a_database_in_a_file_is_not_shared(tmp_path: Path) -> None:
    with share_database(), connect(tmp_path / "scratch", 64) as connection:
        assert (tmp_path / "scratch" / "tables.duckdb").exists()
        (limit,) = connection.execute("select current_setting('memory_limit')").fetchall()[0]
        with connect(tmp_path / "other", 512, in_memory=True):
            pass
        assert connection.execute("select current_setting('memory_limit')").fetchall() == [(limit,)]


def test_the_tables_are_dropped_at_the_end() -> None:
    with share_database():
        connection = connect()
        connection.execute("create table numbers as select 1 as number")
    connection.close()
    with connect() as other, pytest.raises(duckdb.CatalogException):
        other.execute("from numbers")


def test_work_that_needs_more_memory_fails_and_writes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    query = "select range as number, repeat('x', 100) || range as text from range(1000000)"
    with (
        share_database(),
        connect(tmp_path / "scratch", 8, 1, in_memory=True) as connection,
        pytest.raises(duckdb.OutOfMemoryException),
    ):
        connection.execute(f"create table large as {query} order by text")
    assert [file.name for file in tmp_path.iterdir()] == ["scratch"]
