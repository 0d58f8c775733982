"""The job of building the results of a crawl."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from sitemapaudit.runs.manifest import NAME, Manifest, Status, format_timestamp

if TYPE_CHECKING:
    from rich.console import RenderableType

    from sitemapaudit.config import AuditSettings

logger = logging.getLogger(__name__)

BUILDING: Final = "sitemapaudit.results.building"
"""The module that imports DuckDB and the report."""

_SUMMARY: Final = "sitemapaudit.report.summary"


class ResultsJob(Struct, frozen=True):
    """A run folder whose ledger is complete.

    ``log_level`` is that of the run; ``summarized`` says whether the terminal shows a summary.
    """

    run: Path
    manifest: Manifest
    settings: AuditSettings
    log_level: int
    summarized: bool = True


class Results(Struct, frozen=True):
    """The manifest of a run with results, and its summary for the terminal."""

    manifest: Manifest
    summary: RenderableType | None


@contextmanager
def ready() -> Iterator[None]:
    """Import the modules that build results, and open a database."""
    from sitemapaudit.datasets.database import connect, share_database  # noqa: PLC0415

    for module in (BUILDING, _SUMMARY):
        import_module(module)
    with share_database():
        connect().close()
        yield


def postpone(job: ResultsJob) -> Results:
    """Write the manifest of a run whose results are built later."""
    manifest, command = job.manifest, f"sitemapaudit report {job.run}"
    manifest.postponed = True
    if manifest.status is Status.FINISHED:
        manifest.reason, manifest.remedy = "its results are not built yet", command
    manifest.finished = manifest.finished or format_timestamp(datetime.now(UTC))
    try:
        manifest.write(job.run)
    except OSError as error:
        manifest.status, manifest.reason = Status.INTERRUPTED, f"{NAME}: {error.strerror}"
    if not job.summarized:
        return Results(manifest, None)
    from rich.text import Text  # noqa: PLC0415 - only on a terminal

    return Results(manifest, Text(f"The ledger is in {job.run}\nNext  {command}"))


def build(job: ResultsJob) -> Results:
    """Build the results of a run in this process."""
    from sitemapaudit.audit import Audit  # noqa: PLC0415
    from sitemapaudit.datasets.database import share_database  # noqa: PLC0415
    from sitemapaudit.results.building import build_results  # noqa: PLC0415

    settings, manifest = job.settings, job.manifest
    audit = Audit.of(settings, sitemaps=manifest.reads_sitemaps)
    with share_database():
        build_results([job.run], job.run, manifest, audit, settings)
        return Results(manifest, _summarize(job.run, manifest) if job.summarized else None)


def _summarize(run: Path, manifest: Manifest) -> RenderableType | None:
    """Return the summary of a run; a failure is only logged."""
    from sitemapaudit.datasets.refusals import log_failure  # noqa: PLC0415
    from sitemapaudit.report.summary import summary  # noqa: PLC0415

    try:
        return summary(run, manifest)
    except Exception as error:  # noqa: BLE001 - it is logged
        log_failure(logger, f"The summary of {run} could not be created", error)
        return None
