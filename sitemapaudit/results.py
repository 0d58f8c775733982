"""From the ledger of a run to its results: tables, exports, comparison, report."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import Comparison, compare_with_previous
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.exporting import export_tables
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.report.report_page import write_report
from sitemapaudit.runs.manifest import NAME, Manifest, Status, format_timestamp

logger = logging.getLogger(__name__)


def build_results(
    runs: Sequence[Path], into: Path, manifest: Manifest, audit: Audit, settings: AuditSettings
) -> None:
    """Write all results from the ledgers of ``runs``, and the manifest, into a run folder.

    A failure is logged, and affects only what depends on it.
    """
    try:
        build_tables(TableBuild(runs, into, settings.memory), manifest, audit)
    except Exception as error:
        logger.exception("The tables of %s could not be written", into)
        manifest.status, manifest.complete = Status.FAILED, False
        manifest.reason = f"writing the tables failed: {error}"
    else:
        export_tables(into, settings.formats, manifest, settings.memory, audit.rules)
        comparison = _compare(into, manifest, audit, settings)
        _write_report(into, manifest, comparison, audit, settings)
    manifest.finished = manifest.finished or format_timestamp(datetime.now(UTC))
    # The manifest comes last: a run that is killed before this can be resumed.
    try:
        manifest.write(into)
    except OSError as error:
        logger.error("%s cannot be written: %s", into / NAME, error.strerror)  # noqa: TRY400
        manifest.status, manifest.complete = Status.FAILED, False
        manifest.reason = f"{NAME} cannot be written: {error.strerror}"


def _compare(
    run: Path, manifest: Manifest, audit: Audit, settings: AuditSettings
) -> Comparison | None:
    rules = Audit(settings.rules, rules=audit.rules)
    try:
        comparison = compare_with_previous(run, settings.memory, manifest, rules)
    except Exception:
        logger.exception("%s could not be compared with the previous run", run)
        return None
    if comparison:
        comparison.record(manifest)
    return comparison


def _write_report(
    run: Path,
    manifest: Manifest,
    comparison: Comparison | None,
    audit: Audit,
    settings: AuditSettings,
) -> None:
    try:
        write_report(run, manifest, audit.rules, comparison, settings.memory)
    except Exception:
        logger.exception("The report of %s could not be written", run)
