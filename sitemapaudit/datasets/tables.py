"""The ledger of a run → its tables: Parquet for analysis, CSV for spreadsheets.

The ledger is the truth, and this may be done again at any time, by any
machine. DuckDB does the work within a limit of memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.audit import Audit
from sitemapaudit.datasets import urls
from sitemapaudit.datasets.database import THREADS, literal, table_file, view_ledger, view_tables
from sitemapaudit.datasets.findings import find
from sitemapaudit.datasets.ledger import count_lines, ledger_file
from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.datasets.pages import pages_query
from sitemapaudit.datasets.relations import view_relations
from sitemapaudit.datasets.sampling import SAMPLE
from sitemapaudit.datasets.schema import LEDGER_TABLES, TABLES, columns, table_columns
from sitemapaudit.datasets.sorting import Ordered, in_order
from sitemapaudit.datasets.working import work_within
from sitemapaudit.items import Error, Kind, LeftOut, Role, Severity, Url, Verdict

_COPIES: Final = {
    # A long file has a row at its beginning as well: the last one counts.
    "sitemaps": "from sitemaps_log qualify row_number() over"
    " (partition by sitemap order by complete desc) = 1",
}
ROW_GROUP: Final = 40_960
"""Rows of a Parquet file that are written at once: so many are held in memory."""

_FORMULA: Final = "^[=+\\-@\\t\\r]"

_NAMES: Final = ", ".join(
    {"rules": "coalesce(rules, []) as rules"}.get(column.name, column.name)
    for column in columns(Url)
)
_RANKS: Final = ", ".join(literal(severity) for severity in reversed(Severity))
_RANK: Final = f"list_position([{_RANKS}], severity)"

RESULTS: Final = {
    "urls": Ordered(f"select {_NAMES} from urls left join found using (url)", "url", key="url"),
    "findings": Ordered(
        "from findings",
        f"{_RANK}, rule, url, sitemap, position, message",
        key=f"{_RANK} || ' ' || rule || ' ' || coalesce(url, chr(1114111))",
    ),
}
"""The tables that are made of the others, which people open as CSV too; nulls stand last."""


@dataclass(slots=True, frozen=True)
class Build:
    """What to build: from which run folders, into which, within how many megabytes of memory."""

    runs: Sequence[Path]
    into: Path
    memory: int


_LIMITS: Final = {LeftOut.LIMIT: "AUDIT_MAX_URLS", LeftOut.HOSTS: "AUDIT_MAX_HOSTS"}
"""The settings that leave out listed URLs."""

_LENGTH: Final = "the length of a sitemap"
_UNREAD: Final = f"error = {literal(Error.LIMIT)} or cut or not complete"


def build_tables(build: Build, manifest: Manifest, audit: Audit) -> None:
    """Write every table of a run into its folder, and the counts into its manifest."""
    broken = Counter(audit.broken)

    def work(connection: duckdb.DuckDBPyConnection) -> None:
        audit.broken = Counter(broken)
        view_ledger(connection, build.runs, LEDGER_TABLES)
        _write_copies(connection, build.into)
        _judge_urls(connection, manifest)
        _settle(connection, manifest, build.runs)
        view_relations(connection)
        find(connection, audit)
        _write_results(connection, build.into)
        _count(connection, manifest)
        manifest.broken_rules = dict(audit.broken)

    work_within(build.memory, build.into, work, "Building the tables")


def _write_copies(connection: duckdb.DuckDBPyConnection, into: Path) -> None:
    """Write the tables that are the ledger's own."""
    for table in ("robots", "sitemaps", "entries"):
        _write(connection, into, table, _COPIES.get(table, f"from {table}_log"))
        view_tables(connection, into, [table])
    connection.execute(urls.LISTED)
    _write(connection, into, "pages", pages_query())
    view_tables(connection, into, ["pages"])


def _judge_urls(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    size = manifest.arguments.get("pages")
    if isinstance(size, int):
        parameters = {"seed": str(manifest.settings.get("AUDIT_SEED")), "size": size}
        connection.execute(f"create table sample as {SAMPLE}", parameters)
        connection.execute(urls.MARK_SAMPLE)
    connection.execute(urls.CHAINS)
    connection.execute(urls.SOFT_404S)
    connection.execute(urls.JUDGED)
    connection.execute(urls.URLS)


def _settle(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest, runs: Sequence[Path]
) -> None:
    """Count what was left undone, and make the table ``run``: what queries may know of the run."""
    kinds = ", ".join(literal(kind) for kind in (Kind.HTML, Kind.UNKNOWN))
    # What belongs to other shards was left out by choice, unless this run is all that they made.
    undone = {*_LIMITS, LeftOut.SHARD} if manifest.shards else _LIMITS
    chosen = ", ".join(literal(reason) for reason in LeftOut if reason not in undone)
    manifest.readable = _number(
        connection, f"select count(*) from sitemaps where kind not in ({kinds})"
    )
    manifest.unread = _number(
        connection,
        f"select count(*) from sitemaps where {_UNREAD}",
    )
    manifest.unchecked = _number(
        connection,
        f"select count(*) from urls where verdict = {literal(Verdict.UNCHECKED)}"
        f" and coalesce(left_out, '') not in ({chosen})",
    )
    manifest.limits = _limits(connection)
    shown = f"from pages where rendered_reason is not null and role = {literal(Role.LISTED)}"
    manifest.rendered = _number(connection, f"select count(*) {shown}")
    manifest.unrendered = _number(
        connection, f"select count(*) {shown} and rendered_error is not null"
    )
    shards = (Counter(shard.damage) for shard in manifest.shards)
    manifest.damage = dict(sum(shards, _damage(connection, runs)))
    manifest.settle()
    run = {
        "agent": manifest.arguments.get("agent"),
        "stopped": manifest.status is not Status.FINISHED,
        "unchecked": manifest.unchecked,
        "unread": manifest.unread,
        "reason": manifest.reason,
        "searched": bool(manifest.arguments.get("site")) and not manifest.unread,
    }
    names = ", ".join(f"${name} as {name}" for name in run)
    connection.execute(f"create table run as select {names}", run)


def _damage(connection: duckdb.DuckDBPyConnection, runs: Sequence[Path]) -> Counter[str]:
    """Return how many lines of each table in the ledgers could not be read."""
    damage = Counter[str]()
    for table in LEDGER_TABLES:
        # Row by row the same as what was made of it, which is quicker to count.
        read = table if table in ("entries", "pages") else f"{table}_log"
        lines = sum(count_lines(ledger_file(run, table)) for run in runs)
        lost = lines - _number(connection, f"select count(*) from {read}")
        if lost > 0:
            damage[table] = lost
    return damage


def _limits(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Count what each limit has left out: listed URLs, and sitemaps."""
    names = " ".join(
        f"when {literal(reason)} then {literal(name)}" for reason, name in _LIMITS.items()
    )
    query = f"""
        select limit_met, count(*) from (
            select case left_out {names} end as limit_met from urls
            union all
            select if(cut, {literal(_LENGTH)}, split_part(error_detail, ' ', 1))
            from sitemaps where cut or error = {literal(Error.LIMIT)}
        ) where limit_met is not null group by 1 order by 1
    """
    return dict(connection.execute(query).fetchall())


def _write_results(connection: duckdb.DuckDBPyConnection, into: Path) -> None:
    connection.execute(
        "create table found as select url, list_sort(list(distinct rule)) as rules"
        " from findings where url is not null group by url"
    )
    for table, wanted in RESULTS.items():
        _write(connection, into, table, in_order(connection, f"sorted_{table}", wanted))
    for table in RESULTS:
        _write_csv(connection, into, table)


def _write(connection: duckdb.DuckDBPyConnection, into: Path, table: str, query: str) -> None:
    """Write a table so that a reader sees the old one or the new one, never a part."""
    file = table_file(into, table)
    draft = file.with_suffix(".new")
    # Rows stay in their order: what threads that are ahead have done would wait on disk.
    connection.execute("set threads = 1")
    connection.execute(
        f"copy ({query}) to {literal(str(draft))}"
        f" (format parquet, compression zstd, row_group_size {ROW_GROUP})"
    )
    connection.execute(f"set threads = {THREADS}")
    draft.replace(file)


def _write_csv(connection: duckdb.DuckDBPyConnection, into: Path, table: str) -> None:
    source = literal(str(table_file(into, table)))
    cells = ", ".join(cell(column.name, column.type) for column in table_columns(table))
    target = literal(str(into / f"{table}.csv"))
    connection.execute(f"copy (select {cells} from read_parquet({source})) to {target} (header)")


def cell(name: str, sql_type: str) -> str:
    """Return a column for a spreadsheet: lists in one cell, and no text that acts as a formula."""
    if sql_type == "VARCHAR[]":
        text = f"array_to_string({name}, ' ')"
    elif sql_type == "VARCHAR":
        text = name
    else:
        return name
    return f"if(regexp_matches({text}, {literal(_FORMULA)}), '''' || {text}, {text}) as {name}"


def _count(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    manifest.rows = {
        table: _number(connection, f"select count(*) from {table}") for table in TABLES
    }
    manifest.verdicts = _tally(connection, "urls", "verdict")
    manifest.left_out = _tally(connection, "urls", "left_out")
    manifest.severities = _tally(connection, "findings", "severity")
    manifest.rules = _tally(connection, "findings", "rule")


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0


def _tally(connection: duckdb.DuckDBPyConnection, table: str, column: str) -> dict[str, int]:
    query = (
        f"select {column}, count(*) from {table} where {column} is not null"
        " group by 1 order by 2 desc, 1"
    )
    return dict(connection.execute(query).fetchall())
