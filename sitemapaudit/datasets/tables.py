"""The ledger of a run → its tables: Parquet for analysis, CSV for spreadsheets.

The ledger is the truth: the tables can be built again at any time, on any machine. DuckDB works
within a memory limit.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import duckdb
from msgspec import Struct

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.agent_verdicts import (
    WRITTEN,
    agents_of,
    count_verdicts,
    create_agents,
    create_verdicts,
)
from sitemapaudit.datasets.counts import count_results, count_revalidated, count_unfinished
from sitemapaudit.datasets.csv_files import write_csv
from sitemapaudit.datasets.damage import count_repeated, unique_rows
from sitemapaudit.datasets.database import (
    SCRATCH,
    create_ledger_views,
    create_table_views,
    is_small,
    ledger_size,
    parquet_rows,
    sql_string,
)
from sitemapaudit.datasets.estimates import create_estimates
from sitemapaudit.datasets.finding_table import create_findings
from sitemapaudit.datasets.links.graph import create_link_graph, links_query
from sitemapaudit.datasets.links.results import count_links
from sitemapaudit.datasets.links.suggestions import create_suggestions
from sitemapaudit.datasets.media_table import create_media
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.obstacles import explain_incomplete
from sitemapaudit.datasets.page_table import (
    create_last_pages,
    create_leads,
    pages_query,
    was_rendered,
    with_all_columns,
)
from sitemapaudit.datasets.row_order import create_small_table, sorted_pages, sorted_table
from sitemapaudit.datasets.sampling import SampleChoice
from sitemapaudit.datasets.sorting import SortedQuery, sort_rows
from sitemapaudit.datasets.url_table import create_listed, create_urls
from sitemapaudit.items import Url
from sitemapaudit.items.schema import (
    ESTIMATES,
    LEDGER_TABLES,
    LINKS,
    MEDIA,
    ORPHANS,
    UNLISTED,
    VERDICTS,
    columns,
    table_columns,
)
from sitemapaudit.runs.durable import publish
from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.ledger.link_log import has_links
from sitemapaudit.runs.manifest import Manifest, Status

logger = logging.getLogger(__name__)

COPIES: Final = {
    "robots": "from robots_log",
    # A long file also has a row at its beginning: the last one wins.
    "sitemaps": "from sitemaps_log qualify row_number() over"
    " (partition by sitemap order by complete desc) = 1",
    "entries": "from entries_log",
}
"""The tables that are copies of the ledger's, with the query of each."""

RUN: Final = """
    create table run (
        agent varchar, stopped boolean, unchecked_urls bigint, unread_sitemaps bigint,
        reason varchar, searched boolean, staging varchar[], links boolean, media boolean,
        link_shapes struct(shape varchar, number bigint)[]
    )
"""
"""The properties of the run that query rules can use, in one row."""

ROW_GROUP: Final = 40_960
ROW_GROUP_MEGABYTES: Final = 16
"""Rows of a Parquet file, and their size, that are written at once, and held in memory."""

DICTIONARY: Final = 512
"""Different values of a column in a row group that are written once: if it has more, it is not
worth a dictionary. To look for them in all columns takes a seventh of the time to write."""

_NAMES: Final = ", ".join(
    {"rules": "coalesce(rules, []) as rules"}.get(column.name, column.name)
    for column in columns(Url)
)


def sorted_findings(table: str) -> SortedQuery:
    """Return the sorted rows of a table of findings, the most severe first."""
    return SortedQuery(
        f"from {table}",
        "severity_order(severity), rule, url, sitemap, position, message, evidence",
        key="severity_order(severity) || ' ' || rule || ' ' || coalesce(url, chr(1114111))",
    )


RESULTS: Final = {
    "urls": SortedQuery(
        f"select {_NAMES} from urls left join found_rules using (url)", "url", key="url"
    ),
    "findings": sorted_findings("findings"),
    "occurrences": sorted_findings("occurrences"),
}
"""The tables that are made of the others and are also written as CSV; nulls come last."""


class TableBuild(Struct, frozen=True):
    """The tables to build: from these run folders, into this one, with megabytes of memory."""

    runs: Sequence[Path]
    into: Path
    memory: int


def build_tables(build: TableBuild, manifest: Manifest, audit: Audit) -> None:
    """Write every table of a run into its folder, and the counts into its manifest.

    The tables are moved there when all are finished: a failure leaves the earlier ones.
    """
    drafts = build.into / SCRATCH
    broken = Counter(audit.broken)

    def work(connection: duckdb.DuckDBPyConnection) -> None:
        audit.broken = Counter(broken)
        create_ledger_views(connection, build.runs, LEDGER_TABLES, drafts)
        _write_copies(connection, drafts, build.runs)
        _write_pages(connection, drafts, build.runs, manifest)
        _write_links(connection, drafts, build.runs, manifest.link_domains)
        choice = SampleChoice.of(manifest)
        allocation = create_urls(
            connection,
            choice,
            few=is_small(build.runs, "entries"),
            fetched=ledger_size(build.runs, "pages") > 0,
        )
        count_unfinished(connection, manifest, build.runs)
        explain_incomplete(connection, manifest)
        connection.execute(RUN)
        describe_run(connection, manifest)
        _write_media(connection, drafts)
        _write_verdicts(connection, drafts, manifest)
        create_findings(connection, audit)
        _write_link_results(connection, drafts, build.runs, manifest)
        _write_results(connection, drafts)
        if choice and allocation:
            manifest.sample = create_estimates(connection, choice, allocation, audit, manifest)
            _write(connection, drafts, ESTIMATES, f"from {ESTIMATES}")
            _write_csv(connection, drafts, ESTIMATES)
        count_results(connection, manifest)
        count_revalidated(connection, manifest)
        manifest.checked_rules = audit.checked_rules(manifest.checked_rules)
        manifest.broken_rules = dict(audit.broken)
        publish([*drafts.glob("*.parquet"), *drafts.glob("*.csv")], build.into)

    run_with_memory_limit(build.memory, build.into, work, "Building the tables", build.runs)


def describe_run(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    """Fill the table ``run``."""
    row = (
        manifest.arguments.get("agent"),
        manifest.status is not Status.FINISHED,
        manifest.unchecked_urls,
        manifest.unread_sitemaps,
        manifest.reason,
        bool(manifest.arguments.get("site")) and not manifest.unread_sitemaps,
        manifest.staging_origins,
        manifest.arguments.get("links") in ("record", "crawl"),
        manifest.arguments.get("media") == "check",
        [{"shape": shape, "number": number} for shape, number in manifest.similar.items()],
    )
    connection.execute("insert into run values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def _write_copies(connection: duckdb.DuckDBPyConnection, into: Path, runs: Sequence[Path]) -> None:
    for table, query in COPIES.items():
        _write_copy(connection, into, runs, table, query)


def _write_pages(
    connection: duckdb.DuckDBPyConnection, into: Path, runs: Sequence[Path], manifest: Manifest
) -> None:
    repeated = create_last_pages(connection)
    if repeated:
        _warn_of_repeated(repeated, "pages")
    create_listed(connection)
    create_leads(connection, manifest.arguments.get("follow", "").split(","))
    rendered = was_rendered(connection)
    rows = pages_query(rendered=rendered)
    if is_small(runs, "pages"):
        create_small_table(connection, "pages", with_all_columns(rows, rendered=rendered))
        _write(connection, into, "pages", "from pages")
    else:
        in_order = sorted_pages(connection, rows, ledger_size(runs, "pages"))
        _write(connection, into, "pages", with_all_columns(in_order, rendered=rendered))
        create_table_views(connection, into, ["pages"])
    connection.execute("drop table last_pages; drop table if exists sorted_pages")


def _write_links(
    connection: duckdb.DuckDBPyConnection,
    into: Path,
    runs: Sequence[Path],
    domains: Sequence[str],
) -> None:
    """Build the link graph; write its table if links were recorded."""
    create_link_graph(connection, runs, domains)
    if any(has_links(run) for run in runs):
        _write(connection, into, LINKS, links_query(connection))
        connection.execute(f"drop table if exists {LINKS}")
        create_table_views(connection, into, [LINKS])


def _write_link_results(
    connection: duckdb.DuckDBPyConnection, into: Path, runs: Sequence[Path], manifest: Manifest
) -> None:
    """Write and count orphans and unlisted pages, if links were recorded."""
    manifest.links = None
    if any(has_links(run) for run in runs):
        _write(connection, into, ORPHANS, f"from {create_suggestions(connection)}")
        _write(connection, into, UNLISTED, f"from {UNLISTED} order by url")
        for table in (ORPHANS, UNLISTED):
            _write_csv(connection, into, table)
        manifest.links = count_links(connection)


def _write_media(connection: duckdb.DuckDBPyConnection, into: Path) -> None:
    """Build and write the table of images and videos, if they were checked."""
    if connection.execute("from run where media").fetchone():
        create_media(connection)
        wanted = SortedQuery(f"from {MEDIA}", "url", key="url")
        _write(connection, into, MEDIA, sort_rows(connection, f"sorted_{MEDIA}", wanted))


def _write_verdicts(connection: duckdb.DuckDBPyConnection, into: Path, manifest: Manifest) -> None:
    """Build and write the table of the verdicts for each agent, if there are several."""
    agents = agents_of(manifest)
    create_agents(connection, agents)
    manifest.agents = {}
    if agents:
        create_verdicts(connection)
        manifest.agents = count_verdicts(connection)
        _write(connection, into, VERDICTS, WRITTEN)
        _write_csv(connection, into, VERDICTS)


def _write_copy(
    connection: duckdb.DuckDBPyConnection, into: Path, runs: Sequence[Path], table: str, query: str
) -> None:
    """Write a table with each row of the ledger once, in an order of its own."""
    if is_small(runs, table):
        create_small_table(connection, table, query)
        if not count_repeated(connection, table, table):
            _write(connection, into, table, f"from {table}")
            return
        connection.execute(f"drop table {table}")
    _write(connection, into, table, query)
    create_table_views(connection, into, [table])
    repeated = count_repeated(connection, table, table)
    if repeated:
        _warn_of_repeated(repeated, table)
        _write(connection, into, table, unique_rows(into, table))
        create_table_views(connection, into, [table])
    in_order = sorted_table(connection, into, table)
    if in_order:
        _write(connection, into, table, in_order)
        connection.execute(f"drop table if exists sorted_{table}")
        create_table_views(connection, into, [table])


def _warn_of_repeated(rows: int, table: str) -> None:
    logger.warning("The ledger has %d rows of %s twice; they count once", rows, table)


def _write_results(connection: duckdb.DuckDBPyConnection, into: Path) -> None:
    connection.execute(
        "create table found_rules as select url, list_sort(list(distinct rule)) as rules"
        " from (select url, rule from findings union all select url, rule from occurrences)"
        " where url is not null group by url"
    )
    for table, wanted in RESULTS.items():
        if table == "urls":
            # They are in order already, unless DuckDB joined them the other way round.
            _write(connection, into, table, wanted.query)
            if _is_in_order(connection, into, table, "url"):
                continue
        _write(connection, into, table, sort_rows(connection, f"sorted_{table}", wanted))
    for table in RESULTS:
        _write_csv(connection, into, table)


def _is_in_order(
    connection: duckdb.DuckDBPyConnection, into: Path, table: str, column: str
) -> bool:
    rows = parquet_rows(table_file(into, table))
    found = connection.execute(
        f"select count(*) from (select {column} < lag({column}) over () as behind from {rows})"
        " where behind"
    )
    return found.fetchall() == [(0,)]


def _write(connection: duckdb.DuckDBPyConnection, into: Path, table: str, query: str) -> None:
    """Write a table; the query may read an earlier version of it."""
    file = table_file(into, table)
    draft = file.with_suffix(".new")
    connection.execute(
        f"copy ({query}) to {sql_string(str(draft))} (format parquet, compression zstd,"
        f" row_group_size {ROW_GROUP}, row_group_size_bytes '{ROW_GROUP_MEGABYTES}MB',"
        f" dictionary_size_limit {DICTIONARY})"
    )
    draft.replace(file)


def _write_csv(connection: duckdb.DuckDBPyConnection, into: Path, table: str) -> None:
    source = parquet_rows(table_file(into, table))
    types = {column.name: column.type for column in table_columns(table)}
    write_csv(connection, types, source, into / f"{table}.csv")
