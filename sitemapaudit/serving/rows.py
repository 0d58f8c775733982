"""The rows of the pages: runs of the folder, audits that were started here, fields of the form."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from sitemapaudit.audit_folder.folder import AuditFolder, status_now
from sitemapaudit.audit_folder.started_audits import StartedAudit, option_descriptions
from sitemapaudit.items import Severity
from sitemapaudit.report.embedding import shorten
from sitemapaudit.report.report_page import NAME as REPORT
from sitemapaudit.runs.folders import has_tables
from sitemapaudit.runs.ledger.ledger import ledger_file
from sitemapaudit.runs.manifest import Manifest, Status
from sitemapaudit.runs.progress_report import ProgressReport
from sitemapaudit.scheduling.site_list import ENDINGS

DOWNLOADS: Final = ("urls.csv", "findings.csv")

REASON: Final = 120
"""Limit for the reason why a run is incomplete, in characters."""

_MAX_COUNTED: Final = 100_000_000
"""Bytes of a ledger whose rows are counted: half a second."""


class RunRow(Struct, frozen=True):
    """A run. ``fetched`` counts the pages of a running one, if they are few enough to count."""

    name: str
    state: str
    share: float | None = None
    listed: int | None = None
    errors: int | None = None
    warnings: int | None = None
    report: bool = False
    downloads: tuple[str, ...] = ()
    built: bool = False
    resumable: bool = False
    fetched: int | None = None


class StartedRow(Struct, frozen=True):
    """An audit that was started here. ``ending`` is None while it runs."""

    number: int
    site: str
    progress: ProgressReport
    is_stopping: bool
    ending: str | None
    run: str | None
    report: bool
    words: str


class Field(Struct, frozen=True):
    """A field of the form; ``words`` are all values that it can have, if they are few."""

    key: str
    value: str
    meaning: str
    words: tuple[str, ...]


def run_row(folder: AuditFolder, run: Path) -> RunRow:
    """Return the row of a run, which may be unreadable."""
    name = folder.name(run)
    try:
        manifest = Manifest.read(run)
    except (OSError, ValueError) as error:
        return RunRow(name, f"unreadable: {shorten(str(error))}")
    status = status_now(run, manifest)
    runs, finished = status is Status.RUNNING, status is Status.FINISHED
    reason = f": {shorten(manifest.reason, REASON)}" if manifest.reason else ""
    state = "complete" if manifest.complete else f"{'incomplete' if finished else status}{reason}"
    return RunRow(
        name,
        state,
        manifest.share.best_value,
        manifest.rows.get("urls"),
        manifest.severities.get(Severity.ERROR, 0),
        manifest.severities.get(Severity.WARNING, 0),
        report=(run / REPORT).is_file(),
        downloads=tuple(each for each in DOWNLOADS if (run / each).is_file()),
        built=has_tables(run),
        resumable=not (finished or runs or manifest.shards),
        fetched=_count_pages(run) if runs else None,
    )


def _count_pages(run: Path) -> int | None:
    """Return how many pages a running audit has fetched; None if that takes too long to count."""
    file = ledger_file(run, "pages")
    try:
        with file.open("rb") as lines:
            return sum(1 for _ in lines) if file.stat().st_size <= _MAX_COUNTED else None
    except OSError:
        return None


def started_row(folder: AuditFolder, audit: StartedAudit) -> StartedRow:
    """Return the row of an audit that was started here."""
    status, run = audit.child.status, audit.run
    failed = status not in (None, 0, 1) and (run is None or status != 3)
    return StartedRow(
        audit.number,
        audit.site,
        audit.progress,
        audit.child.is_stopping,
        None if status is None else ENDINGS.get(status, ENDINGS[None]),
        None if run is None else folder.name(run),
        run is not None and (run / REPORT).is_file(),
        shorten(audit.child.last_words(), 1_000) if failed else "",
    )


def form_fields(given: Mapping[str, str]) -> list[Field]:
    """Return the fields of a new audit, with what was given before a mistake."""
    return [
        Field(key, given.get(key, option.default), option.meaning, _words(option.metavar))
        for key, option in option_descriptions().items()
    ]


def _words(metavar: str) -> tuple[str, ...]:
    words = metavar.split("|")
    return tuple(words) if all(word.islower() for word in words) else ()
