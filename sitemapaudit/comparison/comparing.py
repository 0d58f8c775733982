"""Two run folders → the table ``comparison`` in the later one, and the counts of it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.comparison.differences import DIFFERENCES, Difference, find_differences
from sitemapaudit.datasets.database import connect, literal, table_file
from sitemapaudit.datasets.manifest import NAME
from sitemapaudit.datasets.schema import columns
from sitemapaudit.datasets.tables import cell

TABLE: Final = "comparison"

_COMPARED: Final = ("urls", "findings", "pages", "sitemaps")


@dataclass(slots=True, frozen=True)
class Comparison:
    """What differs, in numbers.

    ``verdicts`` counts changes by verdict before and after; ``rules`` counts
    findings by rule, severity and change, ``unchanged`` ones too.
    """

    old: Path
    new: Path
    came: int
    went: int
    verdicts: Mapping[tuple[str, str], int]
    rules: Mapping[tuple[str, str, str], int]

    def findings(self, change: str) -> int:
        """How many findings are ``new``, ``mended``, ``unchanged`` or ``unknown``."""
        return sum(number for (_, _, each), number in self.rules.items() if each == change)


def run_before(run: Path) -> Path | None:
    """Return the run of the same site before this one; None if this is the first.

    Runs without tables are passed over.
    """
    earlier = [
        folder
        for folder in sorted(run.resolve().parent.iterdir())
        if folder.name < run.resolve().name
        and (folder / NAME).is_file()
        and table_file(folder, "urls").exists()
    ]
    return earlier[-1] if earlier else None


def compare(old: Path, new: Path, memory: int) -> Comparison:
    """Write ``comparison.parquet`` and ``.csv`` into the later run folder.

    ``memory`` is in megabytes.
    """
    scratch = new / "scratch"
    with connect(scratch, memory) as connection:
        for schema, run in (("old", old), ("new", new)):
            connection.execute(f"create schema {schema}")
            for table in _COMPARED:
                file = literal(str(table_file(run, table)))
                connection.execute(f"create view {schema}.{table} as from read_parquet({file})")
        find_differences(connection)
        _write(connection, new)
        comparison = _counted(connection, old, new)
    shutil.rmtree(scratch, ignore_errors=True)
    return comparison


def _write(connection: duckdb.DuckDBPyConnection, into: Path) -> None:
    connection.execute(f"create table {TABLE} as {DIFFERENCES}")
    parquet, csv = (literal(str(into / f"{TABLE}.{ending}")) for ending in ("parquet", "csv"))
    connection.execute(f"copy {TABLE} to {parquet} (format parquet, compression zstd)")
    cells = ", ".join(cell(column.name, column.type) for column in columns(Difference))
    connection.execute(f"copy (select {cells} from {TABLE}) to {csv} (header)")


def _counted(connection: duckdb.DuckDBPyConnection, old: Path, new: Path) -> Comparison:
    ask = connection.execute
    urls = dict(ask("select change, count(*) from differing_urls group by 1").fetchall())
    verdicts = ask(
        "select before, after, count(*) from differing_urls where change = 'verdict'"
        " group by all order by 3 desc, 1, 2"
    ).fetchall()
    rules = ask(
        "select rule, severity, change, count(*) from compared group by all order by 4 desc, 1"
    ).fetchall()
    return Comparison(
        old,
        new,
        urls.get("came", 0),
        urls.get("went", 0),
        {(before, after): number for before, after, number in verdicts},
        {(rule, severity, change): number for rule, severity, change, number in rules},
    )
