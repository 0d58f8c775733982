"""The tables of a run in other formats.

Parquet stays the truth, and the other formats are made from it on request. A format that a run
has is rebuilt with its tables, so it never shows older ones. A format that fails affects nothing
else.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import duckdb

from sitemapaudit.datasets.database import SCRATCH, create_table_views
from sitemapaudit.datasets.formats import optional
from sitemapaudit.datasets.formats.export import Export
from sitemapaudit.datasets.formats.optional import missing_extra
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.refusals import log_failure
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.durable import publish
from sitemapaudit.runs.manifest import Manifest

logger = logging.getLogger(__name__)

SETTING: Final = "AUDIT_FORMATS"
"""The setting in which a manifest records the formats of its run."""


def export_tables(
    run: Path, names: Sequence[str], manifest: Manifest, memory: int, rules: Catalog
) -> list[Path]:
    """Write the tables of a run folder in these formats and in those that it has.

    ``memory`` is in megabytes. A format that cannot be written is logged and recorded in the
    manifest with the reason, and its older files are removed. Return the files.
    """
    manifest.failed_formats = {}
    return [
        file
        for name in _requested(run, names, manifest)
        for file in _try_format(run, name, manifest, memory, rules)
    ]


def _requested(run: Path, names: Sequence[str], manifest: Manifest) -> list[str]:
    """Return the formats requested now, those the run was made with, and those in its folder."""
    chosen = {*names, *(manifest.settings.get(SETTING) or ())}
    return [
        name
        for name in optional.format_names()
        if name in chosen or any((run / file).is_file() for file in _module(name).FILES)
    ]


def _try_format(
    run: Path, name: str, manifest: Manifest, memory: int, rules: Catalog
) -> list[Path]:
    extra = missing_extra(name)
    if extra:
        reason = f"to write it, install {extra}"
        logger.error("The format %s of %s could not be written: %s", name, run, reason)
        return _record_failure(run, name, manifest, reason)
    try:
        return _write(run, name, manifest, memory, rules)
    except Exception as error:  # noqa: BLE001 - it is logged
        reason = log_failure(logger, f"The format {name} of {run} could not be written", error)
        return _record_failure(run, name, manifest, reason)


def _record_failure(run: Path, name: str, manifest: Manifest, reason: str) -> list[Path]:
    """Record why a format could not be written, and remove its older files."""
    manifest.failed_formats[name] = reason
    for file in _module(name).FILES:
        with suppress(OSError):
            (run / file).unlink(missing_ok=True)
    return []


def _write(run: Path, name: str, manifest: Manifest, memory: int, rules: Catalog) -> list[Path]:
    """Write files atomically: a reader sees the old file or the new one, never a part."""

    def work(connection: duckdb.DuckDBPyConnection) -> list[Path]:
        create_table_views(connection, run)
        scratch = run / SCRATCH
        _module(name).write(Export(connection, manifest, scratch, rules))
        return publish([scratch / file for file in _module(name).FILES], run)

    return run_with_memory_limit(memory, run, work, f"Writing {name}")


def _module(name: str) -> ModuleType:
    return import_module(f"{optional.__name__}.{name}")
