"""The ledger of a run → its tables: Parquet for analysis, CSV for spreadsheets.

The ledger is the truth: the tables can be built again at any time, on any machine. DuckDB works
within a memory limit.
"""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import duckdb
from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.agent_verdicts import count_verdicts
from sitemapaudit.datasets.build import Build
from sitemapaudit.datasets.built_files import OWN_FILES
from sitemapaudit.datasets.counts import count_results, count_revalidated
from sitemapaudit.datasets.database import (
    PARQUET_ROWS,
    SCRATCH,
    is_small,
    keep_tables,
    path_pattern,
)
from sitemapaudit.datasets.finding_table import LINES, needed_queries, run_queries
from sitemapaudit.datasets.formats.csv_files import write_csv
from sitemapaudit.datasets.likely_causes import find_likely_causes
from sitemapaudit.datasets.links.results import count_links
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.own_columns import columns_of_run, own_columns
from sitemapaudit.datasets.parquet import write_table
from sitemapaudit.datasets.recipe import BEFORE_RULES, create_relations
from sitemapaudit.datasets.sorting import PART, SortedQuery, sort_rows
from sitemapaudit.items import Url
from sitemapaudit.items.schema import (
    ESTIMATES,
    MEDIA,
    ORPHANS,
    UNLISTED,
    VERDICTS,
    columns,
    table_columns,
)
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.runs.comparable_rules import could_check
from sitemapaudit.runs.durable import publish
from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.manifest import Manifest

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


_FINDINGS_WITH_FILES: Final = f"""(
    select findings.*, files.file
    from (select *, row_number() over () as place from {PARQUET_ROWS}) as findings
    left join {OWN_FILES} as files on files.url = findings.url
    order by place
)"""
"""The findings of a build in their order, with the files of their pages."""

RESULTS: Final = {
    "urls": SortedQuery(
        f"select {_NAMES} from urls left join found_rules using (url)", "url", key="url"
    ),
    "findings": sorted_findings("findings"),
    "occurrences": sorted_findings("occurrences"),
}
"""The tables that are made of the others and are also written as CSV; nulls come last."""

OTHERS: Final = {
    MEDIA: (MEDIA, "url"),
    VERDICTS: (VERDICTS, "url, position"),
    ORPHANS: (f"{ORPHANS}_with_suggestions", "url"),
    UNLISTED: (UNLISTED, "url"),
    ESTIMATES: (ESTIMATES, ""),
}
"""The tables that only some runs have: the relation of each, and its order."""

URLS_PART: Final = PART // 4
"""URLs that are sorted at once: to join them with their rules needs memory too."""

COUNTED: Final = ("links", "link_gaps", "link_coverage")
"""The additional results of runs that recorded links, in a file or in their manifest."""


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
    broken, recorded = Counter(audit.broken), _recorded_failures(manifest, audit)

    def work(connection: duckdb.DuckDBPyConnection) -> None:
        audit.broken = Counter(broken)
        tables = Build(connection, manifest, audit, build.runs, drafts)
        create_relations(tables, ("run", "findings"))
        _check_rules(tables)
        create_relations(tables, ("found_rules", *(source for source, _ in OTHERS.values())))
        create_relations(tables, COUNTED)
        _write_results(tables)
        _write_others(tables)
        count_results(connection, manifest)
        manifest.likely_causes = list(find_likely_causes(connection, manifest))
        count_revalidated(connection, manifest)
        _count_others(tables)
        manifest.rule_editions = _rule_editions(audit, manifest)
        manifest.checked_rules = _checked_rules(audit, manifest)
        manifest.broken_rules = dict(recorded + audit.broken)
        publish([*drafts.glob("*.parquet"), *drafts.glob("*.csv")], build.into)
        keep_tables(connection, {table: table_file(build.into, table) for table in tables.written})

    run_with_memory_limit(build.memory, build.into, work, "Building the tables", build.runs)


def _recorded_failures(manifest: Manifest, audit: Audit) -> Counter[str]:
    """Return how often rules about rows failed when these were recorded.

    Only the rules whose queries the tables answer are checked again.
    """

    def is_final(name: str) -> bool:
        rule = audit.rules.get(name)
        return rule is None or (issubclass(rule, RowRule) and name in audit.active)

    failures = manifest.broken_rules.items()
    return Counter({name: number for name, number in failures if is_final(name)})


def _check_rules(build: Build) -> None:
    """Add the findings of query rules, from the tables and the relations that they name."""
    create_relations(build, {need.table for rule in build.audit.queries for need in rule.needs})
    rules = needed_queries(build.connection, build.audit.queries)
    words = set(re.findall(r"\w+", " ".join(rule.query for rule in rules)))
    create_relations(build, words & {relation.name for relation in BEFORE_RULES})
    run_queries(build.connection, build.audit, rules)
    build.connection.execute(LINES)


def _checked_rules(audit: Audit, manifest: Manifest) -> list[str]:
    """Return the rules that checked a run: those that were on, and could find something."""
    rules = audit.rules
    return [
        name
        for name in audit.checked_rules(manifest.checked_rules)
        if name not in rules or could_check(manifest, rules[name])
    ]


def _rule_editions(audit: Audit, manifest: Manifest) -> dict[str, str]:
    """Return the editions of the rules that checked a run: only queries are checked again."""
    recorded = manifest.rule_editions
    if not manifest.checked_rules:
        recorded = audit.editions(audit.active)
    queries = {rule.id for rule in audit.queries}
    rows = {name: edition for name, edition in recorded.items() if name not in queries}
    return rows | audit.editions(sorted(queries))


def _write_results(build: Build) -> None:
    connection = build.connection
    for table, wanted in (RESULTS | {"urls": _urls_of(build)}).items():
        if table == "urls" and _urls_may_be_in_order(build):
            write_table(build, table, wanted.query)
            file = {"file": path_pattern(table_file(build.drafts, table))}
            if _are_in_order(connection, PARQUET_ROWS, file):
                continue
        part = URLS_PART if table == "urls" else PART
        write_table(build, table, sort_rows(connection, f"sorted_{table}", wanted, part))
    for table in RESULTS:
        _write_csv(build, table)


def _urls_of(build: Build) -> SortedQuery:
    """Return the sorted rows of ``urls``, with the own columns of their pages."""
    names = ", ".join(f'"{each.name}"' for each in own_columns(build.manifest, "urls"))
    if not names:
        return RESULTS["urls"]
    query = RESULTS["urls"].query.replace(" from urls", f", {names} from urls")
    return replace(
        RESULTS["urls"],
        query=f"{query} left join (select url, {names} from pages) as own using (url)",
    )


def _write_others(build: Build) -> None:
    for table, (source, order) in OTHERS.items():
        if source not in build.created:
            continue
        names = ", ".join(column.name for column in table_columns(table))
        rows = f"from {source}"
        if order:
            wanted = SortedQuery(rows, order, key="url")
            rows = sort_rows(build.connection, f"sorted_{table}", wanted)
        write_table(build, table, f"select {names} {rows}")
        if table != MEDIA:
            _write_csv(build, table)


def _count_others(build: Build) -> None:
    has, manifest = build.created, build.manifest
    manifest.agents = count_verdicts(build.connection) if VERDICTS in has else {}
    manifest.links = count_links(build.connection) if ORPHANS in has else None


def _urls_may_be_in_order(build: Build) -> bool:
    """Return whether URLs are in order, unless joining them with their rules changes it.

    They are not if there are many, or if DuckDB joined them with pages the other way round.
    """
    return is_small(build.runs, "entries") or _are_in_order(build.connection, "urls")


def _are_in_order(
    connection: duckdb.DuckDBPyConnection, rows: str, file: dict[str, str] | None = None
) -> bool:
    found = connection.execute(
        f"select count(*) from (select url < lag(url) over () as behind from {rows}) where behind",
        file,
    )
    return found.fetchall() == [(0,)]


def _write_csv(build: Build, table: str) -> None:
    values = {"file": path_pattern(table_file(build.drafts, table))}
    types = {each.name: each.type for each in columns_of_run(build.manifest, table)}
    csv = build.drafts / f"{table}.csv"
    source = PARQUET_ROWS
    if table == "findings" and build.manifest.build_hosts:
        types["file"], source = "VARCHAR", _FINDINGS_WITH_FILES
    write_csv(build.connection, types, source, csv, values)
