"""The tables of a finished run in other formats: a workbook, and JSON Lines.

Parquet stays the truth; these are made from it, by option. A format that is there is made again
whenever the tables are, so that it never tells of others; one that fails costs nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import literal, view_tables
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.datasets.schema import TABLES
from sitemapaudit.datasets.working import SCRATCH, work_within

logger = logging.getLogger(__name__)

SETTING: Final = "AUDIT_FORMATS"
"""Where a manifest says in which formats a run was to be written."""

_ISO: Final = "%Y-%m-%dT%H:%M:%S.%fZ"


@dataclass(slots=True, frozen=True)
class Export:
    """What to write from, and where: ``scratch`` is removed at the end."""

    connection: duckdb.DuckDBPyConnection
    manifest: Manifest
    scratch: Path


@dataclass(slots=True, frozen=True)
class Format:
    """The names of its files, and what writes them into ``scratch``."""

    files: tuple[str, ...]
    write: Callable[[Export], None]


def export(run: Path, formats: Sequence[str], manifest: Manifest, memory: int) -> list[Path]:
    """Write the tables of a run folder in each of these formats, and in those that it has.

    ``memory`` is in megabytes. A format that cannot be written is logged, and
    stands in the manifest with its reason; what it had written before is
    removed, since it would tell of other tables. Return the files.
    """
    manifest.failed_formats = {}
    return [
        file
        for name in _wanted(run, formats, manifest)
        for file in _attempt(run, name, manifest, memory)
    ]


def _wanted(run: Path, formats: Sequence[str], manifest: Manifest) -> list[str]:
    """Return what is asked for now, what the run was asked for, and what stands in its folder."""
    asked = {*formats, *(manifest.settings.get(SETTING) or ())}
    return [
        name
        for name, form in FORMATS.items()
        if name in asked or any((run / file).is_file() for file in form.files)
    ]


def _attempt(run: Path, name: str, manifest: Manifest, memory: int) -> list[Path]:
    try:
        return _write(run, name, manifest, memory)
    except Exception as error:
        logger.exception("The format %s of %s could not be written", name, run)
        manifest.failed_formats[name] = str(error).partition("\n")[0]
        for file in FORMATS[name].files:
            with suppress(OSError):
                (run / file).unlink(missing_ok=True)
        return []


def _write(run: Path, name: str, manifest: Manifest, memory: int) -> list[Path]:
    """Write files so that a reader sees the old one or the new one, never a part."""

    def work(connection: duckdb.DuckDBPyConnection) -> list[Path]:
        view_tables(connection, run)
        scratch = run / SCRATCH
        FORMATS[name].write(Export(connection, manifest, scratch))
        return [(scratch / file).replace(run / file) for file in FORMATS[name].files]

    return work_within(memory, run, work, f"Writing {name}")


def _write_lines(export: Export) -> None:
    """Write each table as JSON Lines: a row is a line, and times are ISO 8601 in UTC."""
    for table in TABLES:
        file = export.scratch / f"{table}.jsonl"
        export.connection.execute(
            f"copy (from {table}) to {literal(str(file))}"
            f" (format json, timestampformat {literal(_ISO)})"
        )


def _write_workbook(export: Export) -> None:
    # XlsxWriter takes a twentieth of a second to import, for what few runs ask for.
    from sitemapaudit.datasets.workbook import write_workbook  # noqa: PLC0415

    write_workbook(export.scratch / _WORKBOOK, export.connection, export.manifest)


_WORKBOOK: Final = "audit.xlsx"

FORMATS: Final[Mapping[str, Format]] = {
    "xlsx": Format((_WORKBOOK,), _write_workbook),
    "jsonl": Format(tuple(f"{table}.jsonl" for table in TABLES), _write_lines),
}
"""What can be asked for, by the word that asks for it."""
