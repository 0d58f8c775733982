"""The run of an audit in progress: its folder, lock, manifest and ledger."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import astuple

from sitemapaudit.audit import Audit
from sitemapaudit.machine import MachineFault, remedy_of
from sitemapaudit.runs.by_origin import merge_by_origin
from sitemapaudit.runs.compared_agents import ComparedAgents
from sitemapaudit.runs.compared_canonicals import ComparedCanonicals
from sitemapaudit.runs.folders import lock_run, new_run_folder
from sitemapaudit.runs.ledger.doubted import note_doubts, read_doubts
from sitemapaudit.runs.ledger.ledger import Ledger
from sitemapaudit.runs.ledger.records import ReadItem, Record
from sitemapaudit.runs.ledger.resuming import drop_unfinished
from sitemapaudit.runs.ledger.url_list import write_url_list
from sitemapaudit.runs.manifest import NAME, Manifest, Status, format_timestamp

if TYPE_CHECKING:
    from filelock import BaseFileLock

logger = logging.getLogger(__name__)

BUILDING: Final = "building the results"
"""The last phase of every run, however it ends."""

_ENDINGS: Final[Mapping[str, tuple[Status, str | None]]] = {
    "finished": (Status.FINISHED, None),
    "shutdown": (Status.INTERRUPTED, "the run was stopped"),
    "start_error": (Status.FAILED, "reading the sitemaps failed; the log has the traceback"),
}


class AuditRun:
    """A new run in ``<audits>/<site>/``, or a resumed run.

    Nothing is on the disk before it is opened. ``error`` says why it cannot be written, None if it
    can. After an error nothing more is written: a resumed run fetches what is missing.
    ``url_list`` is a list of URLs that a new run keeps.
    ``phase`` names what the crawl is doing, and ``longest_wait`` the robots.txt or sitemap that it
    has been waiting for, with the seconds.
    ``read_items`` are those of the pages and renderings in the pipelines, by the identity of the
    row.
    """

    def __init__(self, audits: Path, site: str, manifest: Manifest) -> None:
        self.folder = audits / site
        self.manifest = manifest
        self.url_list: bytes | None = None
        self.error: str | None = None
        self.phase = ""
        self.longest_wait: Callable[[], tuple[str, float]] = _no_wait
        self.read_items: dict[int, ReadItem[Any]] = {}
        self._remedy: str | None = None
        self._audits = audits
        self._site = site
        self._update: Callable[[Manifest], None] | None = None
        self._lock: BaseFileLock | None = None
        self._ledger: Ledger | None = None

    def resume(self, folder: Path, update: Callable[[Manifest], None]) -> None:
        """Resume a run when this one is opened; ``update`` records differences."""
        self.folder, self._update = folder, update

    def open(self, audit: Audit, *, links: bool) -> None:
        """Create or reopen the folder, and write a manifest that says that the run is running."""
        try:
            if self._update is None:
                self._begin(audit)
            else:
                self._reopen(audit, self._update)
            self.manifest.write(self.folder)
            self._ledger = Ledger(self.folder, live=True, links=links)
        except OSError as error:
            self.error = f"{self.folder} cannot be written: {error.strerror}"
            remedy = remedy_of(error.errno)
            logger.error("%s; %s, then start again", self.error, remedy)  # noqa: TRY400
            if not (self.folder / NAME).exists():
                # A new run: nothing is lost.
                shutil.rmtree(self.folder, ignore_errors=True)

    def _begin(self, audit: Audit) -> None:
        started = datetime.now(UTC)
        self.folder = new_run_folder(self._audits, self._site, started)
        self.manifest.started = format_timestamp(started)
        self.manifest.checked_rules = audit.active
        self.manifest.rule_editions = audit.editions(audit.active)
        self._lock = lock_run(self.folder)
        if self.url_list is not None:
            write_url_list(self.folder, self.url_list)
            self.url_list = None

    def _reopen(self, audit: Audit, update: Callable[[Manifest], None]) -> None:
        self._lock = lock_run(self.folder)
        job, self.manifest = self.manifest.job, Manifest.read(self.folder)
        self.manifest.mark_resumed(datetime.now(UTC), job)
        update(self.manifest)
        self.manifest.record_repair(drop_unfinished(self.folder, audit))

    @property
    def is_open(self) -> bool:
        """True if rows can be written."""
        return self._ledger is not None and self.error is None

    def write(self, record: Record) -> bool:
        """Write a record; return whether it was written. After an error, nothing is."""
        if self._ledger is None or self.error is not None:
            return False
        try:
            record.write(self._ledger)
        except OSError as error:
            self.fail(_write_fault(error))
            return False
        return True

    def fail(self, fault: MachineFault) -> None:
        """Write nothing more: this machine cannot continue the run."""
        if self.error is None:
            self.error, self._remedy = fault.reason, fault.remedy
            logger.error("%s; %s, then resume with resume=%s", *astuple(fault), self.folder)

    def read_doubts(self) -> list[str]:
        """Return the URLs with doubtful responses of a run that is resumed; none of a new one."""
        return [] if self._update is None else read_doubts(self.folder)

    def note_doubts(self, urls: Sequence[str]) -> None:
        """Record URLs whose responses can belong to other requests."""
        try:
            note_doubts(self.folder, urls)
        except OSError as error:
            self.fail(_write_fault(error))

    def note_addresses(self, first: Mapping[str, list[str]]) -> None:
        """Record the addresses of hosts that are those of the beginning of the run."""
        if first == self.manifest.first_addresses:
            return
        self.manifest.first_addresses = dict(first)
        self.write_manifest()

    def write_manifest(self) -> None:
        """Write the manifest while the run is open; after an error, nothing is written."""
        if not self.is_open:
            return
        try:
            self.manifest.write(self.folder)
        except OSError as error:
            self.fail(_write_fault(error))

    def note_comparison(self, compared: ComparedAgents) -> None:
        """Record the response to a browser's User-Agent where access was denied."""
        manifest = self.manifest
        manifest.compared_agents = merge_by_origin((manifest.compared_agents, [compared]))
        self.write_manifest()

    def note_canonicals(self, compared: ComparedCanonicals) -> None:
        """Record where crawlers find the canonical of a page."""
        manifest = self.manifest
        manifest.compared_canonicals = merge_by_origin((manifest.compared_canonicals, [compared]))
        self.write_manifest()

    def close(self, reason: str) -> bool:
        """Close the ledger; record why Scrapy ended the run. Return whether there is a ledger."""
        self.phase, self.longest_wait = BUILDING, _no_wait
        ledger, self._ledger = self._ledger, None
        if ledger is None:
            return False
        try:
            ledger.close()
        except OSError as error:
            self.fail(_write_fault(error))
        reason = self.error or reason
        interrupted = (Status.INTERRUPTED, _describe_ending(reason))
        self.manifest.status, self.manifest.reason = _ENDINGS.get(reason, interrupted)
        self.manifest.remedy = self._remedy
        return True

    def release(self) -> None:
        """Let other processes write into the folder."""
        if self._lock is not None:
            self._lock.release()


def _no_wait() -> tuple[str, float]:
    return "", 0.0


def _write_fault(error: OSError) -> MachineFault:
    reason = f"the ledger cannot be written: {error.strerror}"
    return MachineFault(reason, remedy_of(error.errno))


def _describe_ending(reason: str) -> str:
    """Say why Scrapy ended a run: usually one of its limits was reached."""
    if reason == "memusage_exceeded":
        return "MEMUSAGE_LIMIT_MB was reached"
    return f"{reason.upper()} was reached" if reason.startswith("closespider_") else reason
