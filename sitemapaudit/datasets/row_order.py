"""The order of the rows of tables: the same in each run of the same site, however rows arrived.

Rows arrive in an order that depends on the speed of hosts. Files of the same rows are equal to the
byte. Entries are in the order of their sitemaps: those of an index in the order of the index.
"""

from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import parquet_rows, sql_string
from sitemapaudit.datasets.sorting import SortedQuery, sort_rows
from sitemapaudit.runs.folders import table_file

PART_BYTES: Final = 24 << 20
"""Bytes of rows, uncompressed, that are sorted at once."""

PAGES_PART_BYTES: Final = 40 << 20
"""Bytes of the ledger of pages that are sorted at once: a part of it are the names of columns."""

MAX_PARTS: Final = 16
"""Parts of a table of pages that is sorted: each part reads the table once. Above, pages are in the
order in which they arrived."""

_SITEMAP_ORDER: Final = """
    create or replace table sitemap_order as
    with children as (
        select url as sitemap, sitemap as parent, min(position) as position
        from entries where kind = 'sitemapindex' and url is not null group by all
    ), ranked as (
        select sitemap, row_number() over (
                order by depth, parent nulls first, position nulls last, sitemap
            ) as rank
        from sitemaps left join children using (sitemap, parent)
    )
    select sitemap, rank, lpad(coalesce(rank, 9999999)::varchar, 7, '0') || sitemap as sitemap_key
    from (select distinct sitemap from entries) left join ranked using (sitemap)
"""
"""The sitemaps with entries. To compute the key of each entry takes six times as long."""

_ENTRIES_IN_ORDER: Final = """
    with neighbors as (
        select sitemap, position, lag(sitemap) over () as before, lag(position) over () as previous
        from entries
    ), borders as (
        select sitemap, before from neighbors where sitemap <> before
    )
    select not exists (from neighbors where sitemap = before and position <= previous)
        and not exists (
            from borders
            left join sitemap_order as this on this.sitemap = borders.sitemap
            left join sitemap_order as other on other.sitemap = borders.before
            where coalesce(this.rank, 1e9) <= coalesce(other.rank, 1e9)
        )
"""

_KEYS: Final = {"robots": "site", "sitemaps": "sitemap", "pages": "url"}


def sorted_pages(connection: duckdb.DuckDBPyConnection, query: str, size: int) -> str:
    """Return the query for the rows of ``last_pages`` that another one makes, in order.

    ``size`` is the size of their ledger in bytes. If it is much more than the memory, the query is
    left as it is.
    """
    parts = max(1, -(-size // PAGES_PART_BYTES))
    if parts > MAX_PARTS:
        return query
    (rows,) = connection.execute("select count(*) from last_pages").fetchall()[0]
    wanted = SortedQuery(f"from ({query})", "url", key="url", counted="last_pages")
    return sort_rows(connection, "sorted_pages", wanted, part=-(-rows // parts) or 1)


def sorted_table(connection: duckdb.DuckDBPyConnection, into: Path, table: str) -> str | None:
    """Return the query for the rows of a table in order; None if its file is to stay as it is."""
    wanted = _wanted(connection, table, parquet_rows(table_file(into, table)))
    if table == "entries" and connection.execute(_ENTRIES_IN_ORDER).fetchall()[0][0]:
        return None
    count, size = _measure(connection, table_file(into, table))
    parts = -(-size // PART_BYTES)
    query = sort_rows(connection, f"sorted_{table}", wanted, part=-(-count // max(parts, 1)) or 1)
    return f"select * exclude (sitemap_key) {query}" if table == "entries" else query


def create_small_table(connection: duckdb.DuckDBPyConnection, table: str, query: str) -> None:
    """Create a table with the rows of a query in order."""
    if table != "entries":
        connection.execute(f"create table {table} as from ({query}) order by {_KEYS[table]}")
        return
    connection.execute(f"create table {table} as {query}")
    wanted = _wanted(connection, table, table)
    connection.execute(
        f"create or replace table {table} as"
        f" select * exclude (sitemap_key) from ({wanted.query}) order by {wanted.order}"
    )


def _wanted(connection: duckdb.DuckDBPyConnection, table: str, rows: str) -> SortedQuery:
    if table != "entries":
        return SortedQuery(f"from {rows}", _KEYS[table], key=_KEYS[table])
    connection.execute(_SITEMAP_ORDER)
    return SortedQuery(
        f"select entry.*, sitemap_key from {rows} as entry join sitemap_order using (sitemap)",
        "sitemap_key, position, loc",
        key="sitemap_key",
    )


def _measure(connection: duckdb.DuckDBPyConnection, file: Path) -> tuple[int, int]:
    """Return the rows of a Parquet file, and their uncompressed bytes."""
    path = sql_string(str(file))
    (rows,) = connection.execute(f"select count(*) from {parquet_rows(file)}").fetchall()[0]
    (size,) = connection.execute(
        f"select coalesce(sum(total_uncompressed_size), 0)::bigint from parquet_metadata({path})"
    ).fetchall()[0]
    return rows, size
