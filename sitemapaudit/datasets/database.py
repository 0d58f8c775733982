"""The connection to DuckDB: its limits, the words that queries may use, the views."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.ledger import ledger_file
from sitemapaudit.datasets.schema import LEDGER_TABLES, TABLES, columns

THREADS: Final = 2
"""Threads that work within a limit of memory."""

_MACROS: Final = """
    create or replace macro host_of(url) as
        regexp_extract(url, '^https?://(\\[[^\\]]*\\]|[^/:]*)', 1);
    create or replace macro bare_host_of(url) as
        regexp_extract(url, '^https?://(?:www\\.)?(\\[[^\\]]*\\]|[^/:]*)', 1);
    create or replace macro stripped(text) as trim(text, e' \\t\\r\\n');
    create or replace macro origin_of(url) as regexp_extract(url, '^https?://[^/]*');
    create or replace macro directory_of(url) as regexp_extract(split_part(url, '?', 1), '^.*/');
    create or replace macro ending(hops, final_url) as
        if(hops = 0, 'answers', 'redirects to ' || final_url || ', which answers');
    -- Scripts can fill a page, and can spoil it; what they cannot do is heal a raw noindex or
    -- canonical, which an engine may obey before it renders.
    create or replace macro judged(verdict, rendered) as case
        when rendered is null then verdict
        when verdict in ('soft-404', 'indexable') then rendered
        when verdict = 'canonicalized' and rendered in ('redirected', 'noindex') then rendered
        else verdict end;
"""


def connect(scratch: Path | None = None, memory: int | None = None) -> duckdb.DuckDBPyConnection:
    """Open a database: with ``scratch``, in files of that folder; else in memory.

    ``memory`` is the most that DuckDB may use, in megabytes: what exceeds it goes to
    ``scratch`` too, which whoever asks for it removes.
    """
    if scratch:
        scratch.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect(scratch / "tables.duckdb" if scratch else ":memory:")
    connection.execute("set TimeZone = 'UTC'")
    if memory:
        # Each thread has buffers of its own, which the limit must hold too.
        connection.execute(f"set memory_limit = '{memory}MB'; set threads = {THREADS}")
    if scratch:
        connection.execute(f"set temp_directory = {literal(str(scratch))}")
    connection.execute(_MACROS)
    return connection


def view_ledger(
    connection: duckdb.DuckDBPyConnection, runs: Sequence[Path], tables: Iterable[str]
) -> None:
    """Make a view ``<table>_log`` over each ledger file; what cannot be read is passed over.

    Of a line that is no JSON, as of a torn last one, DuckDB makes a row of nulls.
    """
    for table in tables:
        files = [file for run in runs if (file := ledger_file(run, table)).exists()]
        item = columns(LEDGER_TABLES[table])
        types = ", ".join(f"{literal(column.name)}: {literal(column.type)}" for column in item)
        rows = (
            f"select * from read_json([{', '.join(literal(str(file)) for file in files)}],"
            f" format = 'newline_delimited', columns = {{{types}}}, ignore_errors = true)"
            f" where {item[0].name} is not null"
        )
        # A run of an earlier version has no file of a table that came later.
        nulls = ", ".join(f"null::{column.type} as {column.name}" for column in item)
        connection.execute(
            f"create view {table}_log as {rows if files else f'select {nulls} where false'}"
        )


def view_tables(
    connection: duckdb.DuckDBPyConnection, run: Path, tables: Iterable[str] = TABLES
) -> None:
    """Make a view over each Parquet file of a run folder that is there."""
    for table in tables:
        file = table_file(run, table)
        if file.exists():
            source = literal(str(file))
            connection.execute(
                f"create or replace view {table} as select * from read_parquet({source})"
            )


def table_file(run: Path, table: str) -> Path:
    """Return the Parquet file of one dataset of a run folder."""
    return run / f"{table}.parquet"


def literal(text: str) -> str:
    """Return a text as a string literal of SQL."""
    return "'" + text.replace("'", "''") + "'"
