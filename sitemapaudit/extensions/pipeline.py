"""The item pipeline, which connects a crawl to the rules and the ledger."""

from typing import Any, Final, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.statscollectors import StatsCollector
from scrapy.utils.asyncio import create_looping_call
from scrapy.utils.defer import deferred_from_coro

from sitemapaudit.audit import Audit
from sitemapaudit.config import Config, Links
from sitemapaudit.config.audit_settings import LATER
from sitemapaudit.engine.audits import config_of
from sitemapaudit.engine.private_api import has_receivers, only_pipeline, send_to_pipelines
from sitemapaudit.engine.signals import audit_finished, fetching_finished, machine_failed
from sitemapaudit.extensions.run_log import level_of_log
from sitemapaudit.garbage import reduce_collections
from sitemapaudit.items import Entries, Entry, Verdict
from sitemapaudit.machine import MachineFault
from sitemapaudit.results.builder import ResultsBuilder
from sitemapaudit.results.job import ResultsJob
from sitemapaudit.runs import stats
from sitemapaudit.runs.audit_run import AuditRun
from sitemapaudit.runs.crawl_counts import CrawlCounts
from sitemapaudit.runs.ledger.records import ITEMS, Recorder
from sitemapaudit.runs.manifest import Manifest, Status

_INTERVAL: Final = 1.0
"""Seconds after which a killed process has recorded its counts."""


_FAILED_PART: Final = MachineFault(
    "a component of the project failed before the first request",
    "correct what its exception in the log names",
)

_RETURNS_NOTHING: Final = MachineFault(
    "a pipeline before that of the audit returned nothing",
    "let its process_item return each item, or raise DropItem to drop one",
)


class AuditPipeline:
    """Writes the items and their findings to the ledger, and builds the results at the end."""

    def __init__(self, crawler: Crawler, config: Config, run: AuditRun) -> None:
        self._crawler = crawler
        self._stats: StatsCollector = crawler.stats
        self._config = config
        self._run = run
        self._audit = Audit.of(config.settings, sitemaps=not config.arguments.urls)
        self._recorder = Recorder(self._audit)
        self._builder: ResultsBuilder
        self._counts: CrawlCounts
        self._recording = create_looping_call(self._record_counts)
        self._has_begun = self._is_stopped = False
        crawler.signals.connect(self._begin, signal=signals.spider_opened)
        crawler.signals.connect(self.pass_results, signal=fetching_finished)
        crawler.signals.connect(self.close_run, signal=signals.spider_closed)
        crawler.signals.connect(self.stop, signal=machine_failed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the pipeline with the configuration and the run of the spider.

        Raises NotConfigured if it is not an audit.
        """
        config, spider = config_of(crawler), crawler.spider
        return cls(crawler, config, spider.run)  # type: ignore[union-attr]

    def open_spider(self) -> None:
        """Open the run; end the spider before its first request if the run cannot be written."""
        reduce_collections()
        self._run.open(self._audit, links=self._config.arguments.links is not Links.NONE)
        self._builder = ResultsBuilder(later=self._config.settings.results == LATER)
        self._counts = CrawlCounts(self._run.manifest)
        self._recording.start(_INTERVAL, now=False)

    def _begin(self) -> None:
        self._has_begun = True

    def process_item(self, item: Any) -> Any:
        """Write an item and its findings to the ledger; return the item for feeds."""
        if item is None:
            self.stop(_RETURNS_NOTHING)
            return item
        if isinstance(item, Entry):  # Another component sees each row.
            return self.process_item(Entries(item.sitemap, [item])).rows[0]
        record = self._recorder.take(item, self._run.read_items.pop(id(item), None))
        if record is None:
            self._stats.inc_value(ITEMS)
            return item
        if self._run.write(record):
            record.count(self._stats)
        elif self._run.error is not None:
            self._stop()
        return record.item

    def stop(self, fault: MachineFault) -> None:
        """Stop a run that this machine cannot continue; a resumed run fetches what is missing."""
        self._run.fail(fault)
        self._stop()

    def _stop(self) -> None:
        if not self._is_stopped:
            self._is_stopped = True
            # A closed run still starts requests, and may never end.
            deferred_from_coro(self._crawler.stop_async())

    async def pass_results(self) -> None:
        """Build the results of a finished crawl; pass them to the other components, if any."""
        if only_pipeline(self._crawler) is not None or not self._finish("finished"):
            return
        if self._run.manifest.status is Status.FINISHED:
            from sitemapaudit.datasets.result_rows import result_rows  # noqa: PLC0415 - DuckDB

            for row in result_rows(self._run.folder):
                await send_to_pipelines(self._crawler, row)

    def close_run(self, reason: str) -> None:
        """Build the results, unless that was done."""
        if self._run.is_open and not self._has_begun:
            self._run.fail(_FAILED_PART)
        self._finish(reason)
        self._run.release()

    def _finish(self, reason: str) -> bool:
        """Record in the manifest how the run ended, and build the results.

        Return whether the run was open.
        """
        if self._recording.running:
            self._recording.stop()
        was_open = self._run.close(reason)
        if was_open:
            self._build(self._run.manifest)
        return was_open

    def _build(self, manifest: Manifest) -> None:
        settings = self._config.settings
        self._note_counts(manifest)
        level = level_of_log(self._crawler.settings)
        results = self._builder.build(
            ResultsJob(
                self._run.folder,
                manifest,
                settings,
                level,
                has_receivers(self._crawler, audit_finished),
            )
        )
        self._run.manifest = manifest = results.manifest
        self._set_final_stats(manifest)
        status = manifest.exit_status(settings.fail_on, zero=settings.exit_zero)
        self._stats.set_value(stats.EXIT_STATUS, status)
        self._crawler.signals.send_catch_log(
            audit_finished, run=self._run.folder, manifest=manifest, summary=results.summary
        )

    def _record_counts(self) -> None:
        """Record the counts of this crawl: a killed process cannot."""
        if self._note_counts(self._run.manifest):
            self._run.write_manifest()

    def _note_counts(self, manifest: Manifest) -> bool:
        return self._counts.record(manifest, self._stats.get_stats(), self._audit.broken)

    def _set_final_stats(self, manifest: Manifest) -> None:
        """Set the stats of monitors to the counts of the tables."""
        for verdict, number in manifest.verdicts.items():
            self._stats.set_value(stats.verdict_stat(verdict), number)
        self._stats.set_value(stats.FORBIDDEN, manifest.verdicts.get(Verdict.BLOCKED, 0))
        for rule, number in manifest.rules.items():
            self._stats.set_value(stats.finding_stat(rule), number)
        self._stats.set_value(stats.FINDINGS, sum(manifest.rules.values()))
