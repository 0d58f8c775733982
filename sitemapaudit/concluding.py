"""From the ledger of a run to what people look at: tables, exports, comparison, report."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import Comparison, compare_with_before
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.exports import export
from sitemapaudit.datasets.manifest import NAME, Manifest, Status, timestamp
from sitemapaudit.datasets.tables import Build, build_tables
from sitemapaudit.report.page import write_report

logger = logging.getLogger(__name__)


def conclude(
    runs: Sequence[Path], into: Path, manifest: Manifest, audit: Audit, settings: AuditSettings
) -> None:
    """Write all that is made from the ledgers of ``runs``, and the manifest, into a run folder.

    What fails is logged, and costs no more than what is made from it.
    """
    try:
        build_tables(Build(runs, into, settings.memory), manifest, audit)
    except Exception as error:
        logger.exception("The tables of %s could not be written", into)
        manifest.status, manifest.complete = Status.FAILED, False
        manifest.reason = f"writing the tables failed: {error}"
    else:
        export(into, settings.formats, manifest, settings.memory)
        comparison = _compare(into, manifest, settings)
        _write_report(into, manifest, comparison, settings.memory)
    manifest.finished = manifest.finished or timestamp(datetime.now(UTC))
    # Last of all: a run that is killed before can be resumed.
    try:
        manifest.write(into)
    except OSError as error:
        logger.error("%s cannot be written: %s", into / NAME, error.strerror)  # noqa: TRY400
        manifest.status, manifest.complete = Status.FAILED, False
        manifest.reason = f"{NAME} cannot be written: {error.strerror}"


def _compare(run: Path, manifest: Manifest, settings: AuditSettings) -> Comparison | None:
    try:
        comparison = compare_with_before(run, settings.memory, manifest, settings.rules)
    except Exception:
        logger.exception("%s could not be compared with the run before", run)
        return None
    if comparison:
        comparison.note(manifest)
    return comparison


def _write_report(
    run: Path, manifest: Manifest, comparison: Comparison | None, memory: int
) -> None:
    try:
        write_report(run, manifest, comparison, memory)
    except Exception:
        logger.exception("The report of %s could not be written", run)
