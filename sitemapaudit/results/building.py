"""From the ledger of a run to its results: tables, exports, comparison, report."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import TABLE as COMPARISON
from sitemapaudit.comparison.comparing import Comparison, compare_with_previous
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.database import share_database
from sitemapaudit.datasets.formats.exporting import export_tables
from sitemapaudit.datasets.refusals import describe_refusal, log_failure
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.repair.forecast import forecast_repair
from sitemapaudit.report.brand import Brand
from sitemapaudit.report.report_page import NAME as REPORT
from sitemapaudit.report.report_page import write_report
from sitemapaudit.runs.manifest import NAME, TABLES, Manifest, Status, format_timestamp

logger = logging.getLogger(__name__)


class TablesError(Exception):
    """The reason why the tables of a run could not be written, and are unchanged."""


def build_results(
    runs: Sequence[Path], into: Path, manifest: Manifest, audit: Audit, settings: AuditSettings
) -> None:
    """Write all results from the ledgers of ``runs``, and the manifest, into a run folder.

    A failure is logged, and affects only what depends on it.
    """
    try:
        rebuild_results(runs, into, manifest, audit, settings)
    except TablesError as error:
        _note_finished(manifest)
        manifest.failed_formats = {TABLES: str(error)}
        manifest.complete = False
        manifest.reason = manifest.reason or f"the tables could not be written: {error}"
        _write_manifest(into, manifest)
    if NAME in manifest.failed_formats:
        # The manifest says that the run is running: it counts as interrupted.
        manifest.status, manifest.complete = Status.INTERRUPTED, False
        reason = f"{NAME} could not be written: {manifest.failed_formats[NAME]}"
        manifest.reason = manifest.reason or reason


def rebuild_results(
    runs: Sequence[Path], into: Path, manifest: Manifest, audit: Audit, settings: AuditSettings
) -> None:
    """Write all results of a run, over earlier ones if there are any.

    Raises TablesError; then the folder is unchanged. Other failures are logged, and affect only
    what depends on them.
    """
    if manifest.postponed:
        manifest.postponed = False
        if manifest.status is Status.FINISHED:
            manifest.reason = manifest.remedy = None
    with share_database():
        try:
            build_tables(TableBuild(runs, into, settings.memory), manifest, audit)
        except Exception as error:
            raise TablesError(
                log_failure(logger, f"The tables of {into} could not be written", error)
            ) from error
        _forecast_repair(into, manifest, settings)
        export_tables(into, settings.formats, manifest, settings.memory, audit.rules)
        comparison = _compare(into, manifest, settings)
        _note_finished(manifest)
        _write_report(into, manifest, comparison, audit, settings)
    _write_manifest(into, manifest)


def _forecast_repair(run: Path, manifest: Manifest, settings: AuditSettings) -> None:
    try:
        forecast_repair(run, settings.memory, manifest)
    except Exception as error:  # noqa: BLE001 - it is logged
        log_failure(logger, f"What a repair of {run} would change is unknown", error)


def _note_finished(manifest: Manifest) -> None:
    """Note when the results of a run are ready; the report shows it."""
    manifest.finished = manifest.finished or format_timestamp(datetime.now(UTC))


def _write_manifest(into: Path, manifest: Manifest) -> None:
    """Write the manifest, which comes last: a run that is killed before this can be resumed."""
    try:
        manifest.write(into)
    except OSError as error:
        manifest.failed_formats[NAME] = log_failure(
            logger, f"{into / NAME} could not be written", error
        )


def _compare(run: Path, manifest: Manifest, settings: AuditSettings) -> Comparison | None:
    try:
        comparison = compare_with_previous(
            run, settings.memory, manifest, Audit.of(settings, sitemaps=manifest.reads_sitemaps)
        )
    except Exception as error:  # noqa: BLE001 - it is logged
        reason = log_failure(logger, f"{run} could not be compared with the previous run", error)
        if describe_refusal(error):  # Any other reason is in the previous run, and stays.
            manifest.failed_formats[COMPARISON] = reason
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
        brand = Brand(settings.report_title, settings.report_logo, settings.report_color)
        write_report(run, manifest, audit.rules, comparison, settings.memory, brand)
    except Exception as error:  # noqa: BLE001 - it is logged
        manifest.failed_formats[REPORT] = log_failure(
            logger, f"The report of {run} could not be written", error
        )
