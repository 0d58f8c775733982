"""The item pipeline: it connects a crawl to the rules and the ledger."""

from __future__ import annotations

import logging
import platform
import shutil
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from scrapy import signals
from scrapy.utils.defer import deferred_from_coro

from sitemapaudit import __version__
from sitemapaudit.audit import Audit, Item
from sitemapaudit.config import Config, Links, record_settings
from sitemapaudit.crawling.reuse import request_digest
from sitemapaudit.engine import stats
from sitemapaudit.engine.signals import audit_finished
from sitemapaudit.extensions.run_log import level_of_log
from sitemapaudit.garbage import collect_less
from sitemapaudit.items import Entries, MediaFile, Page, Rendering, Robots, Role, Sitemap
from sitemapaudit.redaction import redacted
from sitemapaudit.results.builder import ResultsBuilder
from sitemapaudit.results.job import ResultsJob
from sitemapaudit.runs.compared_agents import merge_comparisons
from sitemapaudit.runs.folders import lock_run, new_run_folder
from sitemapaudit.runs.ledger import Ledger
from sitemapaudit.runs.link_log import LinkLog, LinkRecord
from sitemapaudit.runs.manifest import NAME, Manifest, Status, format_timestamp
from sitemapaudit.runs.records import EntryRecords, LinkedPage, PageRecords, Recorder
from sitemapaudit.runs.resuming import drop_unfinished

if TYPE_CHECKING:
    from filelock import BaseFileLock
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

_ITEMS: Final = (Robots, Sitemap, Entries, Page, Rendering, MediaFile)
_PACKAGES: Final = (
    "scrapy",
    "scrapy-playwright",
    "duckdb",
    "lxml",
    "selectolax",
    "ada-url",
    "protego",
)
_ENDINGS: Final[Mapping[str, tuple[Status, str | None]]] = {
    "finished": (Status.FINISHED, None),
    "shutdown": (Status.INTERRUPTED, "the run was stopped"),
    "start_error": (Status.FAILED, "reading the sitemaps failed; the log has the traceback"),
}


class AuditPipeline:
    """Writes the items and their findings to the ledger, and builds the results at the end."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self._crawler = crawler
        self._stats: StatsCollector = crawler.stats
        self._config = config
        self._audit = Audit.of(config.settings)
        self._recorder = Recorder(self._audit)
        self._run: Path
        self._manifest: Manifest
        self._lock: BaseFileLock | None = None
        self._ledger: Ledger | None = None
        self._links: LinkLog | None = None
        self._builder: ResultsBuilder
        self._write_error: str | None = None
        crawler.signals.connect(self.close_run, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the pipeline with the configuration of the spider."""
        return cls(crawler, crawler.spider.config)  # type: ignore[union-attr]

    def open_spider(self) -> None:
        """Open the run folder, and write a manifest that says that the run is running."""
        collect_less()
        try:
            if self._config.arguments.resume:
                self._resume(self._config.arguments.resume)
            else:
                self._begin()
            self._manifest.write(self._run)
            self._ledger = Ledger(self._run, live=True)
            if self._config.arguments.links is not Links.NONE:
                self._links = LinkLog(self._run)
        except OSError as error:
            # The spider ends the run before its first request; the folder is left as it is.
            self._write_error = f"{self._run} cannot be written: {error.strerror}"
            logger.error("%s; make room, then start again", self._write_error)  # noqa: TRY400
            self._stats.set_value(stats.WRITE_ERROR, self._write_error)
            if not (self._run / NAME).exists():
                shutil.rmtree(self._run, ignore_errors=True)  # A new run, of which nothing is lost.
        self._stats.set_value(stats.RUN, str(self._run))
        self._builder = ResultsBuilder()

    def _begin(self) -> None:
        started = datetime.now(UTC)
        arguments, settings = self._config.recorded_values()
        self._run = new_run_folder(self._config.settings.dir, self._config.site_name(), started)
        self._manifest = Manifest(
            arguments, settings, _versions(), format_timestamp(started), job=self._config.job
        )
        known = arguments.keys() | settings.keys()
        places = self._config.set_by.items()
        self._manifest.set_by = {name: place for name, place in places if name in known}
        self._manifest.checked_rules = self._audit.active
        self._manifest.request_digest = request_digest(self._crawler.settings)
        if self._config.arguments.links is not Links.NONE:
            self._manifest.link_domains = self._config.domains
        self._lock = lock_run(self._run)

    def _resume(self, run: Path) -> None:
        self._run, self._lock = run, lock_run(run)
        self._manifest = manifest = Manifest.read(run)
        manifest.mark_resumed(datetime.now(UTC), self._config.job)
        record_settings(manifest, self._config.settings, self._config.set_by)
        manifest.record_repair(drop_unfinished(run, self._audit))

    def process_item(self, item: Any) -> Any:
        """Write an item to the ledger, and its findings; return it as feeds get it."""
        if isinstance(item, PageRecords):
            self._write_pages(item)
            return item
        self._stats.inc_value("item_scraped_count")
        if isinstance(item, EntryRecords):
            self._write_entries(item)
            return item
        if isinstance(item, LinkedPage):
            self._write_links(item.links)
            item = item.page
        elif isinstance(item, LinkRecord):
            self._write_links(item)
        if not isinstance(item, _ITEMS):
            return item
        if self._ledger is None or self._write_error is not None:
            return redacted(item)
        record = self._recorder.record(item)
        try:
            record.write(self._ledger)
        except OSError as error:
            self._stop(error)
        else:
            self._count(record.item, record.found)
        return record.item

    def _write_pages(self, pages: PageRecords) -> None:
        """Write pages that another process read, each after its links."""
        self._stats.inc_value("item_scraped_count", len(pages.records))
        for record in pages.records:
            if record.links is not None:
                self._write_links(record.links)
        if self._ledger is None or self._write_error is not None:
            return
        try:
            pages.write(self._ledger)
        except OSError as error:
            self._stop(error)
            return
        listed = sum(record.item.role is Role.LISTED for record in pages.records)
        self._stats.inc_value(stats.DONE, listed)
        self._stats.inc_value(stats.FINDINGS, pages.found)

    def _write_entries(self, entries: EntryRecords) -> None:
        """Write entries that were read and checked elsewhere."""
        for rule, number in entries.broken.items():
            self._stats.inc_value(stats.broken_stat(rule), number)
        if self._ledger is None or self._write_error is not None:
            return
        try:
            entries.write(self._ledger)
        except OSError as error:
            self._stop(error)
            return
        self._stats.inc_value(stats.ENTRIES, entries.entries)
        self._stats.inc_value(stats.FINDINGS, entries.found)

    def _write_links(self, links: LinkRecord) -> None:
        """Write the links of a page before its row: a page in the ledger has its links."""
        if self._links is None or self._write_error is not None:
            return
        try:
            self._links.write(links)
        except OSError as error:
            self._stop(error)

    def _stop(self, error: OSError) -> None:
        """Stop a run whose ledger cannot be written; resuming fetches what is missing."""
        self._write_error = _describe_write_error(error)
        self._stats.set_value(stats.WRITE_ERROR, self._write_error)
        logger.error("%s; make room, then resume with resume=%s", self._write_error, self._run)
        # A run that is only closed still starts requests, and may never end.
        deferred_from_coro(self._crawler.stop_async())

    def close_run(self, reason: str) -> None:
        """Build the results, and record in the manifest how the run ended."""
        if self._ledger is not None:
            self._build(self._ledger, reason)
        if self._lock is not None:
            self._lock.release()

    def _build(self, ledger: Ledger, reason: str) -> None:
        manifest, settings = self._manifest, self._config.settings
        try:
            if self._links is not None:
                self._links.close()
            ledger.close()
        except OSError as error:
            self._write_error = self._write_error or _describe_write_error(error)
        reason = self._write_error or reason
        interrupted = (Status.INTERRUPTED, _describe_ending(reason))
        manifest.status, manifest.reason = _ENDINGS.get(reason, interrupted)
        if manifest.status is not Status.FINISHED:
            self._ledger = None  # Sitemaps that arrive late are read again when it is resumed.
        self._record_waits(manifest)
        self._audit.broken.update(stats.broken_rules(self._stats.get_stats()))
        compared = stats.compared_agents(self._stats.get_stats())
        manifest.compared_agents = merge_comparisons((manifest.compared_agents, compared))
        for what, stat in stats.SET_ASIDE.items():
            if number := self._stats.get_value(stat, 0):
                manifest.set_aside[what] = manifest.set_aside.get(what, 0) + number
        manifest.unfollowed = self._stats.get_value(stats.UNFOLLOWED, {})
        manifest.similar = self._stats.get_value(stats.SIMILAR, {})
        manifest.reused = self._stats.get_value(stats.REUSED)
        level = level_of_log(self._crawler.settings)
        results = self._builder.build(
            ResultsJob(self._run, manifest, settings, self._audit.broken, level)
        )
        self._manifest = manifest = results.manifest
        self._set_final_stats(manifest)
        self._stats.set_value(stats.EXIT_STATUS, manifest.exit_status(settings.fail_on))
        self._crawler.signals.send_catch_log(
            audit_finished, run=self._run, manifest=manifest, summary=results.summary
        )

    def _record_waits(self, manifest: Manifest) -> None:
        """Add the waits of this crawl to those before the run was resumed."""
        refused = stats.count_refused(self._stats.get_stats())
        manifest.refused = dict(Counter(manifest.refused) + Counter(refused))
        manifest.rested = round(manifest.rested + self._stats.get_value(stats.RESTED, 0.0), 1)

    def _set_final_stats(self, manifest: Manifest) -> None:
        """Set the stats that monitors use to the counts of the tables."""
        for verdict, number in manifest.verdicts.items():
            self._stats.set_value(stats.verdict_stat(verdict), number)
        for rule, number in manifest.rules.items():
            self._stats.set_value(stats.finding_stat(rule), number)
        self._stats.set_value(stats.FINDINGS, sum(manifest.rules.values()))

    def _count(self, item: Item, found: int) -> None:
        if isinstance(item, Entries):
            self._stats.inc_value(stats.ENTRIES, len(item.rows))
        elif type(item) is Page and item.role is Role.LISTED:
            self._stats.inc_value(stats.DONE)
        elif isinstance(item, Rendering):
            self._stats.inc_value(stats.RENDERED)
        if found:
            self._stats.inc_value(stats.FINDINGS, found)


def _describe_write_error(error: OSError) -> str:
    return f"the ledger cannot be written: {error.strerror}"


def _describe_ending(reason: str) -> str:
    """Say why Scrapy ended a run: usually one of its own limits was reached."""
    return f"{reason.upper()} was reached" if reason.startswith("closespider_") else reason


def _versions() -> dict[str, str]:
    versions = {"sitemapaudit": __version__, "python": platform.python_version()}
    return versions | {package: version(package) for package in _PACKAGES}
