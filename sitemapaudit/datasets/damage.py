"""Rows that the ledger of a run lost, and rows that it has twice.

A file can be missing, empty or cut, and lines can be garbled or stand twice. What should be there
is known from the rest: from what the rows of sitemaps say was read, from the listed URLs, and from
the rows that the ledger had when the run ended.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import is_small, parquet_rows
from sitemapaudit.items.schema import IDENTITIES, LEDGER_TABLES
from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.ledger.ledger import count_lines, ledger_file
from sitemapaudit.runs.manifest import Manifest, Status

_COPIED: Final = ("robots", "sitemaps", "entries", "pages")
"""Tables with a row per row of their ledger file: they are faster to count."""

_GAPS: Final = """
    select count(*) from (
        select sitemap from {} group by sitemap
        having max(position) <> count(*) or sum(position) <> count(*) * (count(*) + 1) // 2
    )
"""
"""The sitemaps whose entries do not have the positions 1 to n: to compare all takes much longer."""

_LOST: Final = {
    "sitemaps": """
        select count(distinct sitemap) from entries
        where sitemap not in (select sitemap from sitemaps)
    """,
    "entries": """
        select coalesce(sum(greatest(sitemaps.entries - coalesce(found.rows, 0), 0)), 0)::bigint
        from sitemaps
        left join (select sitemap, count(*) as rows from entries group by sitemap) as found
            using (sitemap)
        where complete
    """,
    "pages": """
        select count(*) from listed
        where skip_reason is null and url not in (select url from pages)
    """,
}
"""The rows that a finished run should have, as other rows say, and has not."""


def count_repeated(connection: duckdb.DuckDBPyConnection, source: str, table: str) -> int:
    """Return how many rows of a source repeat a row of this ledger table."""
    if table == "entries" and not _number(connection, _GAPS.format(source)):
        return 0
    repeated = f"count(*) - count(distinct hash({', '.join(IDENTITIES[table])}))"
    return _number(connection, f"select {repeated} from {source}")


def unique_rows(run: Path, table: str) -> str:
    """Return the query for the rows of a Parquet file, each once: the first of equal ones."""
    return f"""
        select * exclude (file_row_number)
        from {parquet_rows(table_file(run, table), "file_row_number = true")}
        qualify row_number() over (
            partition by {", ".join(IDENTITIES[table])} order by file_row_number
        ) = 1
        order by file_row_number
    """


def count_damage(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest, runs: Sequence[Path]
) -> dict[str, int | None]:
    """Return how many rows of each ledger table are lost; None if it is unknown.

    The manifest gets the rows that the ledger has, unless it had more before.
    """
    damage: dict[str, int | None] = {}
    for table in LEDGER_TABLES:
        lines = sum(count_lines(ledger_file(run, table)) for run in runs)
        rows = _unique(connection, table, runs) if lines else 0
        recorded = manifest.ledger_rows.get(table)
        lost = max(
            _unreadable(connection, table, lines, rows),
            (recorded or 0) - rows,
            _lost(connection, table, manifest),
        )
        if lost > 0:
            damage[table] = lost
        elif recorded is None and _is_missing(table, manifest, runs):
            damage[table] = None
        manifest.ledger_rows[table] = max(recorded or 0, rows)
    return damage


def _unique(connection: duckdb.DuckDBPyConnection, table: str, runs: Sequence[Path]) -> int:
    if table in _COPIED:
        return _number(connection, f"select count(*) from {table}")
    digests = f"(select hash({', '.join(IDENTITIES[table])}) as digest from {table}_log)"
    if is_small(runs, table):
        return _number(connection, f"select count(distinct digest) from {digests}")
    # Reading the file needs memory, too.
    connection.execute(f"create temp table digests as {digests}")
    found = _number(connection, "select count(distinct digest) from digests")
    connection.execute("drop table digests")
    return found


def _unreadable(connection: duckdb.DuckDBPyConnection, table: str, lines: int, unique: int) -> int:
    if lines <= unique:
        return 0
    return lines - _number(connection, f"select count(*) from {table}_log")


def _lost(connection: duckdb.DuckDBPyConnection, table: str, manifest: Manifest) -> int:
    # What was in progress when a run was killed is not lost, and shards can have read different
    # versions of a site.
    if table not in _LOST or manifest.status is not Status.FINISHED or manifest.shards:
        return 0
    if table == "entries" and manifest.arguments.get("entries_from"):
        return 0  # A shard took its own entries only.
    return _number(connection, _LOST[table])


def _is_missing(table: str, manifest: Manifest, runs: Sequence[Path]) -> bool:
    # An earlier version rechecked no page, checked no media, and had no browser: it wrote no file
    # for them.
    if table in ("rechecks", "agent_pages"):
        return False
    if table == "renderings" and manifest.arguments.get("render") in (None, "never"):
        return False
    if table == "media" and manifest.arguments.get("media") in (None, "none"):
        return False
    return any(not ledger_file(run, table).exists() for run in runs)


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0
