"""The tables of a finished run in other formats: a workbook, and JSON Lines.

Parquet stays the truth; these are made from it, by option, and may be made again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import literal, view_tables
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.datasets.schema import TABLES
from sitemapaudit.datasets.working import SCRATCH, work_within

MEMORY: Final = 512
"""Megabytes that DuckDB may use to read the tables; doubled where that is not enough."""

_ISO: Final = "%Y-%m-%dT%H:%M:%S.%fZ"


@dataclass(slots=True, frozen=True)
class Export:
    """What to write from, and where: ``scratch`` is removed at the end."""

    connection: duckdb.DuckDBPyConnection
    manifest: Manifest
    scratch: Path


def export(run: Path, formats: Sequence[str], manifest: Manifest) -> list[Path]:
    """Write the tables of a run folder in each of these formats; return the files."""
    return [file for name in formats for file in _write(run, name, manifest)]


def _write(run: Path, name: str, manifest: Manifest) -> list[Path]:
    """Write files so that a reader sees the old one or the new one, never a part."""

    def work(connection: duckdb.DuckDBPyConnection) -> list[Path]:
        view_tables(connection, run)
        drafts = FORMATS[name](Export(connection, manifest, run / SCRATCH))
        return [draft.replace(run / draft.name) for draft in drafts]

    return work_within(MEMORY, run, work, f"Writing {name}")


def _write_lines(export: Export) -> list[Path]:
    """Write each table as JSON Lines: a row is a line, and times are ISO 8601 in UTC."""
    return [_write_table(export, table) for table in TABLES]


def _write_table(export: Export, table: str) -> Path:
    file = export.scratch / f"{table}.jsonl"
    export.connection.execute(
        f"copy (from {table}) to {literal(str(file))}"
        f" (format json, timestampformat {literal(_ISO)})"
    )
    return file


def _write_workbook(export: Export) -> list[Path]:
    # XlsxWriter takes a twentieth of a second to import, for what few runs ask for.
    from sitemapaudit.datasets.workbook import write_workbook  # noqa: PLC0415

    file = export.scratch / "audit.xlsx"
    write_workbook(file, export.connection, export.manifest)
    return [file]


FORMATS: Final[Mapping[str, Callable[[Export], list[Path]]]] = {
    "xlsx": _write_workbook,
    "jsonl": _write_lines,
}
"""What can be asked for, by the word that asks for it."""
