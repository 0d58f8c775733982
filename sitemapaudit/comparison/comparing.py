"""Two run folders → the table ``comparison`` in the later one, and its counts."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import duckdb
from msgspec import Struct, field
from msgspec.structs import replace

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.attached_runs import attach_run, describe_status
from sitemapaudit.comparison.differences import (
    COUNTS,
    DIFFERENCES,
    FINDINGS,
    Difference,
    create_differences,
)
from sitemapaudit.comparison.share_change import ShareChange, compare_shares
from sitemapaudit.datasets.database import SCRATCH, sql_string
from sitemapaudit.datasets.finding_table import needed_queries, run_queries
from sitemapaudit.datasets.formats.csv_files import write_csv
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.usable_tables import usable_tables
from sitemapaudit.items import Finding
from sitemapaudit.items.schema import columns
from sitemapaudit.runs.comparable_rules import comparable_rules
from sitemapaudit.runs.durable import publish
from sitemapaudit.runs.folders import previous_run
from sitemapaudit.runs.manifest import Manifest

TABLE: Final = "comparison"

_MEMORY_FACTOR: Final = 2
"""Sorting the differences of two large runs takes more memory than building tables of one."""


class Comparison(Struct, frozen=True):
    """The differences in numbers.

    ``verdicts`` counts changes by the verdicts before and after; ``rules`` counts findings by rule,
    severity and change, including unchanged ones. ``broken`` counts failures of rules that compare
    runs. ``old_manifest`` is that of the earlier run. ``share_change`` is the change of the share
    of indexable URLs, if a run took a sample.
    """

    old: Path
    new: Path
    old_manifest: Manifest
    added: int
    removed: int
    moved: int
    verdicts: Mapping[tuple[str, str], int]
    rules: Mapping[tuple[str, str, str], int]
    broken: Mapping[str, int] = field(default_factory=dict)
    share_change: ShareChange | None = None

    @property
    def changes(self) -> dict[str, int]:
        """The number of rows of the table per change."""
        findings = {change: self.findings(change) for change in FINDINGS}
        verdicts = sum(self.verdicts.values())
        urls = {"moved": self.moved, "added": self.added, "removed": self.removed}
        urls["verdict-changed"] = verdicts
        return findings | urls

    def record(self, manifest: Manifest) -> None:
        """Write the numbers into the manifest of the later run."""
        manifest.compared_with = self.old.name
        manifest.changes = self.changes

    def findings(self, change: str) -> int:
        """Return how many findings are ``unchanged``, or have another change."""
        return self.by_rule(change).total()

    def by_rule(self, change: str) -> Counter[str]:
        """Return how many findings of each rule have a change."""
        counts: Counter[str] = Counter()
        for (rule, _, each), number in self.rules.items():
            if each == change:
                counts[rule] += number
        return counts


def compare_with_previous(
    run: Path, memory: int, manifest: Manifest, audit: Audit
) -> Comparison | None:
    """Compare a run with the previous one of the same site; None if there is none."""
    earlier = previous_run(run, manifest)
    return compare(earlier, run, memory, audit, manifest) if earlier else None


def compare(
    old: Path,
    new: Path,
    memory: int,
    audit: Audit,
    manifest: Manifest | None = None,
    into: Path | None = None,
) -> Comparison:
    """Write ``comparison.parquet`` and ``.csv`` into the later run folder, or into another one.

    ``memory`` is in megabytes. ``audit`` has the rules that compare runs; ``manifest`` is that
    of the later run if it is not written yet. Raises OSError or ValueError if a run has no
    readable manifest, or tables that cannot be used.
    """
    old_manifest = Manifest.read(old)
    into = into or new

    def work(connection: duckdb.DuckDBPyConnection) -> Comparison:
        audit.broken.clear()
        for schema, run in (("old", old), ("new", new)):
            attach_run(connection, schema, run)
        new_manifest = manifest or Manifest.read(new)
        describe_status(connection, "old", old_manifest)
        describe_status(connection, "new", new_manifest)
        _create_findings(connection, audit)
        _create_rules(connection, "old", comparable_rules(old_manifest, new_manifest, audit.rules))
        _create_rules(connection, "new", comparable_rules(new_manifest, old_manifest, audit.rules))
        create_differences(connection)
        _write(connection, into)
        counted = _count(connection, old, new, old_manifest, audit)
        return replace(counted, share_change=compare_shares(old_manifest, new_manifest))

    with usable_tables(old, *([] if manifest else [new])):
        runs = [old, *([] if into == new else [new])]
        return run_with_memory_limit(_MEMORY_FACTOR * memory, into, work, "Comparing", runs)


def _create_findings(connection: duckdb.DuckDBPyConnection, audit: Audit) -> None:
    """Create the table ``findings`` of the rules that compare runs."""
    names = ", ".join(column.name for column in columns(Finding))
    connection.execute(f"create table findings as select {names} from new.findings limit 0")
    connection.execute(
        "create view listed as select url, sitemaps, null::bigint as position,"
        " null::bigint as line from new.urls"
    )
    run_queries(connection, audit, needed_queries(connection, audit.comparisons))


def _create_rules(connection: duckdb.DuckDBPyConnection, run: str, rules: set[str]) -> None:
    """Create the table of the rules whose findings in a run say something about the other."""
    connection.execute(
        f"create table {run}_rules as select unnest($rules::varchar[]) as rule",
        {"rules": sorted(rules)},
    )


def _write(connection: duckdb.DuckDBPyConnection, into: Path) -> None:
    connection.execute(f"create table {TABLE} as {DIFFERENCES}")
    drafts = [into / SCRATCH / f"{TABLE}.{suffix}" for suffix in ("parquet", "csv")]
    parquet, csv = drafts
    connection.execute(
        f"copy {TABLE} to {sql_string(str(parquet))} (format parquet, compression zstd)"
    )
    write_csv(connection, {column.name: column.type for column in columns(Difference)}, TABLE, csv)
    publish(drafts, into)


def _count(
    connection: duckdb.DuckDBPyConnection,
    old: Path,
    new: Path,
    old_manifest: Manifest,
    audit: Audit,
) -> Comparison:
    query = connection.execute
    urls = dict(query("select change, count(*) from differing_urls group by 1").fetchall())
    verdicts = query(
        "select before, after, count(*) from differing_urls where change = 'verdict-changed'"
        " group by all order by 3 desc, 1, 2"
    ).fetchall()
    rules = query(COUNTS).fetchall()
    return Comparison(
        old,
        new,
        old_manifest,
        urls.get("added", 0),
        urls.get("removed", 0),
        urls.get("moved", 0),
        {(before, after): number for before, after, number in verdicts},
        {(rule, severity, change): number for rule, severity, change, number in rules},
        dict(audit.broken),
    )
