"""Two run folders → the table ``comparison`` in the later one, and the counts of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.differences import COUNTS, DIFFERENCES, Difference, find_differences
from sitemapaudit.datasets.database import literal, table_file
from sitemapaudit.datasets.findings import ask
from sitemapaudit.datasets.folders import run_before
from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.datasets.schema import TABLES, columns
from sitemapaudit.datasets.tables import cell
from sitemapaudit.datasets.working import work_within

TABLE: Final = "comparison"

_SHARE: Final = 2
"""To sort what differs between two large runs takes more than to build the tables of one."""


@dataclass(slots=True, frozen=True)
class Comparison:
    """What differs, in numbers; ``earlier`` is the manifest of the run before.

    ``verdicts`` counts changes by verdict before and after; ``rules`` counts
    findings by rule, severity and change, ``unchanged`` ones too. ``broken``
    counts failures of rules that compare runs, which then say nothing.
    """

    old: Path
    new: Path
    earlier: Manifest
    came: int
    went: int
    verdicts: Mapping[tuple[str, str], int]
    rules: Mapping[tuple[str, str, str], int]
    broken: Mapping[str, int] = field(default_factory=dict)

    @property
    def changes(self) -> dict[str, int]:
        """How many rows of the table there are of each change."""
        findings = {change: self.findings(change) for change in ("new", "mended", "unknown")}
        verdicts = sum(self.verdicts.values())
        return findings | {"came": self.came, "went": self.went, "verdict": verdicts}

    def note(self, manifest: Manifest) -> None:
        """Write the numbers into the manifest of the later run."""
        manifest.compared_with = self.old.name
        manifest.changes = self.changes

    def findings(self, change: str) -> int:
        """How many findings are ``new``, ``mended``, ``unchanged`` or ``unknown``."""
        return sum(number for (_, _, each), number in self.rules.items() if each == change)


def compare_with_before(
    run: Path, memory: int, manifest: Manifest, rules: Mapping[str, str]
) -> Comparison | None:
    """Compare a run with the one of the same site before it; None if there is none."""
    before = run_before(run)
    return compare(before, run, memory, manifest=manifest, rules=rules) if before else None


def compare(
    old: Path,
    new: Path,
    memory: int,
    *,
    manifest: Manifest | None = None,
    rules: Mapping[str, str] | None = None,
) -> Comparison:
    """Write ``comparison.parquet`` and ``.csv`` into the later run folder.

    ``memory`` is in megabytes. ``manifest`` is that of the later run, if it is not written yet;
    ``rules`` are settings, which hold for the rules that compare runs too. Raises OSError or
    ValueError if a run has no manifest that can be read.
    """
    audit = Audit(rules)
    earlier = Manifest.read(old)

    def work(connection: duckdb.DuckDBPyConnection) -> Comparison:
        audit.broken.clear()
        for schema, run in (("old", old), ("new", new)):
            _open(connection, schema, run)
        stopped = (manifest or Manifest.read(new)).status is not Status.FINISHED
        connection.execute(f"create table new.run as select {stopped} as stopped")
        _judge(connection, audit)
        find_differences(connection)
        _write(connection, new)
        return _counted(connection, old, new, earlier, audit)

    return work_within(_SHARE * memory, new, work, "Comparing")


def _open(connection: duckdb.DuckDBPyConnection, schema: str, run: Path) -> None:
    connection.execute(f"create schema {schema}")
    for table in TABLES:
        file = literal(str(table_file(run, table)))
        connection.execute(
            f"create view {schema}.{table} as from read_parquet({file}, file_row_number = true)"
        )


def _judge(connection: duckdb.DuckDBPyConnection, audit: Audit) -> None:
    """Make the table ``findings``: what it takes two runs to find."""
    connection.execute(
        "create table findings as select * exclude (file_row_number) from new.findings limit 0"
    )
    connection.execute("create view listed as select url, sitemaps from new.urls")
    ask(connection, audit, audit.comparisons)


def _write(connection: duckdb.DuckDBPyConnection, into: Path) -> None:
    connection.execute(f"create table {TABLE} as {DIFFERENCES}")
    parquet, csv = (literal(str(into / f"{TABLE}.{ending}")) for ending in ("parquet", "csv"))
    connection.execute(f"copy {TABLE} to {parquet} (format parquet, compression zstd)")
    cells = ", ".join(cell(column.name, column.type) for column in columns(Difference))
    connection.execute(f"copy (select {cells} from {TABLE}) to {csv} (header)")


def _counted(
    connection: duckdb.DuckDBPyConnection, old: Path, new: Path, earlier: Manifest, audit: Audit
) -> Comparison:
    ask = connection.execute
    urls = dict(ask("select change, count(*) from differing_urls group by 1").fetchall())
    verdicts = ask(
        "select before, after, count(*) from differing_urls where change = 'verdict'"
        " group by all order by 3 desc, 1, 2"
    ).fetchall()
    rules = ask(COUNTS).fetchall()
    return Comparison(
        old,
        new,
        earlier,
        urls.get("came", 0),
        urls.get("went", 0),
        {(before, after): number for before, after, number in verdicts},
        {(rule, severity, change): number for rule, severity, change, number in rules},
        dict(audit.broken),
    )
