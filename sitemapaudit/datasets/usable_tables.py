"""Checks of the tables of earlier runs.

Such a table can be damaged, or another version or another program wrote it.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import connect, parquet_rows
from sitemapaudit.datasets.refusals import describe_refusal
from sitemapaudit.items.schema import TABLES, table_columns
from sitemapaudit.runs.file_kinds import RunFileError
from sitemapaudit.runs.folders import table_file

_SYNONYMS: Final = {"TIMESTAMPTZ": "TIMESTAMP WITH TIME ZONE"}
"""The names that DuckDB gives to types."""


_IN_EVERY_RUN: Final = ("sitemaps", "entries", "pages", "urls", "findings")
"""The tables that every version has written."""


@contextmanager
def usable_tables(*runs: Path, tables: Iterable[str] = TABLES) -> Iterator[None]:
    """Check tables of runs before they are used in the context, and why that failed.

    Earlier versions lack columns, so only the first of a table must exist, unless the context
    fails. Raises RunFileError.
    """
    files = [(table, table_file(run, table)) for run in runs for table in tables]
    with connect() as connection:
        for table, file in files:
            if file.exists():
                _check_columns(connection, table, file)
            elif table in _IN_EVERY_RUN:
                raise _missing(file)
    try:
        yield
    except duckdb.Error as error:
        if describe_refusal(error) is None:
            with connect() as connection:
                for table, file in files:
                    _check_content(connection, table, file)
        raise


def _check_columns(connection: duckdb.DuckDBPyConnection, table: str, file: Path) -> None:
    """Check that a table has its first column, and that the types of columns are the usual ones."""
    first, *_ = wanted = table_columns(table)
    found = _types_of(connection, file)
    if first.name not in found:
        raise _foreign(file, f"it has no column {first.name}")
    for column in wanted:
        kind = found.get(column.name, column.type)
        if _shape(kind) != _shape(column.type):
            raise _foreign(file, f"its column {column.name} is {kind}")


def _check_content(connection: duckdb.DuckDBPyConnection, table: str, file: Path) -> None:
    """Check that a table has all columns, and read it completely."""
    if not file.exists():
        if table in TABLES:
            raise _missing(file)
        return
    found = _types_of(connection, file)
    for column in table_columns(table):
        if column.name not in found:
            raise _foreign(file, f"it has no column {column.name}")
    _query(connection, f"select bit_xor(hash(rows)) from {parquet_rows(file)} as rows", file)


def _foreign(file: Path, reason: str) -> RunFileError:
    return RunFileError(f"{file} is not a table of this version: {reason}; {_remedy(file)}")


def _missing(file: Path) -> RunFileError:
    return RunFileError(f"{file} is missing; {_remedy(file)}")


def _types_of(connection: duckdb.DuckDBPyConnection, file: Path) -> dict[str, str]:
    rows = _query(connection, f"describe from {parquet_rows(file)}", file)
    return {name: kind for name, kind, *_ in rows}


def _query(connection: duckdb.DuckDBPyConnection, query: str, file: Path) -> list[tuple[str, ...]]:
    try:
        return connection.execute(query).fetchall()
    except duckdb.Error as error:
        if describe_refusal(error):
            raise
        raise RunFileError(f"{file} cannot be read: it is damaged; {_remedy(file)}") from error


def _remedy(file: Path) -> str:
    return f"sitemapaudit report {file.parent} builds it again"


def _shape(kind: str) -> str:
    """Return a type without the members of a structure: versions can have different ones."""
    head, bracket, _ = _SYNONYMS.get(kind, kind).partition("(")
    return f"{head}{bracket}{'[]' if bracket and kind.endswith('[]') else ''}"
