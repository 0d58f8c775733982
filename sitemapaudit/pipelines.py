"""The only place where a crawl meets the rules and the ledger."""

from __future__ import annotations

import logging
import platform
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from scrapy import signals
from scrapy.utils.defer import deferred_from_coro

import sitemapaudit
from sitemapaudit.audit import Audit, Item
from sitemapaudit.concluding import conclude
from sitemapaudit.config import Config
from sitemapaudit.datasets.folders import lock_run, new_run_folder
from sitemapaudit.datasets.ledger import Ledger
from sitemapaudit.datasets.manifest import Manifest, Status, timestamp
from sitemapaudit.datasets.resuming import settle
from sitemapaudit.items import Entries, Finding, Page, Rendering, Robots, Role, Severity, Sitemap
from sitemapaudit.passwords import hidden

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

RUN_STAT: Final = "sitemapaudit/run"
"""The stat that holds the path of the run folder."""

EXIT_STAT: Final = "sitemapaudit/exit_status"
"""The stat that holds the exit status of the command."""

LISTED_STAT: Final = "sitemapaudit/listed"
"""The stat that counts listed URLs to be asked for, as far as they were read."""

DONE_STAT: Final = "sitemapaudit/done"
"""The stat that counts those of which the answer is known."""

RENDERED_STAT: Final = "sitemapaudit/rendered"
"""The stat that counts pages that a browser opened."""

FINDINGS_STAT: Final = "sitemapaudit/findings"
"""The stat that counts findings of row rules while crawling."""

audit_finished = object()
"""Signal: the run folder is complete. Sent with ``run`` (Path) and ``manifest``."""

_ITEMS: Final = (Robots, Sitemap, Entries, Page, Rendering)
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
    """Writes down what the spider establishes, with what the rules find; then builds the tables."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self._crawler = crawler
        self._config = config
        self._audit = Audit(config.settings.rules, config.settings.preferences)
        self._run: Path
        self._manifest: Manifest
        self._ledger: Ledger
        self._unwritable: str | None = None
        crawler.signals.connect(self.close_run, signal=signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take the configuration from the spider, which has checked it."""
        return cls(crawler, crawler.spider.config)  # type: ignore[union-attr]

    def open_spider(self) -> None:
        """Take the run folder, with a manifest that says that the run is under way."""
        if self._config.arguments.resume:
            self._resume(self._config.arguments.resume)
        else:
            self._begin()
        self._manifest.write(self._run)
        self._ledger = Ledger(self._run)
        self._stats.set_value(RUN_STAT, str(self._run))

    def _begin(self) -> None:
        started = datetime.now(UTC)
        arguments, settings = self._config.record()
        self._run = new_run_folder(self._config.settings.dir, self._config.name(), started)
        self._manifest = Manifest(
            arguments, settings, _versions(), timestamp(started), job=self._config.job
        )
        self._lock = lock_run(self._run)

    def _resume(self, run: Path) -> None:
        self._run, self._lock = run, lock_run(run)
        self._manifest = Manifest.read(run)
        self._manifest.resume(datetime.now(UTC), self._config.job)
        self._manifest.mended = dict(
            Counter(self._manifest.mended) + Counter(settle(run, self._audit))
        )

    def process_item(self, item: Any) -> Any:
        """Write an item to the ledger, and what the rules find on it."""
        if isinstance(item, _ITEMS):
            item = hidden(item)  # For feeds as well.
        if isinstance(item, _ITEMS) and self._unwritable is None:
            findings = self._audit.examine(item)
            try:
                self._ledger.append(item)
                self._ledger.extend(findings)
            except OSError as error:
                self._stop(error)
            else:
                self._tally(item, findings)
        return item

    def _stop(self, error: OSError) -> None:
        """End a run that cannot be written down: what is not in the ledger is asked for again."""
        self._unwritable = f"the log cannot be written: {error.strerror}"
        logger.error("%s; make room, and go on with -a resume=%s", self._unwritable, self._run)
        deferred_from_coro(self._crawler.engine.close_spider_async(reason=self._unwritable))

    def close_run(self, reason: str) -> None:
        """Build the tables, and say in the manifest how the run ended."""
        manifest = self._manifest
        with suppress(OSError):
            self._ledger.close()
        interrupted = (Status.INTERRUPTED, _in_words(reason))
        manifest.status, manifest.reason = _ENDINGS.get(reason, interrupted)
        conclude([self._run], self._run, manifest, self._audit, self._config.settings)
        self._report_counts(manifest)
        self._stats.set_value(EXIT_STAT, exit_status(manifest, self._config.settings.fail_on))
        self._lock.release()
        self._crawler.signals.send_catch_log(audit_finished, run=self._run, manifest=manifest)

    def _report_counts(self, manifest: Manifest) -> None:
        """Set the stats that monitors go by to what the tables hold."""
        for verdict, number in manifest.verdicts.items():
            self._stats.set_value(f"sitemapaudit/verdict/{verdict}", number)
        for rule, number in manifest.rules.items():
            self._stats.set_value(f"sitemapaudit/finding/{rule}", number)
        self._stats.set_value(FINDINGS_STAT, sum(manifest.rules.values()))

    @property
    def _stats(self) -> StatsCollector:
        return self._crawler.stats

    def _tally(self, item: Item, findings: list[Finding]) -> None:
        if isinstance(item, Entries):
            self._stats.inc_value("sitemapaudit/entries", len(item.rows))
        elif isinstance(item, Page) and item.role is Role.LISTED:
            self._stats.inc_value(DONE_STAT)
        elif isinstance(item, Rendering):
            self._stats.inc_value(RENDERED_STAT)
        if findings:
            self._stats.inc_value(FINDINGS_STAT, len(findings))


def exit_status(manifest: Manifest, fail_on: str) -> int:
    """Return the exit status of the command: 0, 1 (findings as grave as ``fail_on``) or 3."""
    if not manifest.complete or manifest.failed_formats:
        return 3
    if fail_on == "never":
        return 0
    least = Severity(fail_on).rank
    return int(any(Severity(found).rank >= least for found in manifest.severities))


def _in_words(reason: str) -> str:
    """Say why Scrapy ended a run: mostly since one of its own limits was met."""
    return f"{reason.upper()} was met" if reason.startswith("closespider_") else reason


def _versions() -> dict[str, str]:
    versions = {"sitemapaudit": sitemapaudit.__version__, "python": platform.python_version()}
    return versions | {package: version(package) for package in _PACKAGES}
