"""The spider: it connects the parts of a crawl."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrapy import Spider, signals
from scrapy.exceptions import CloseSpider

from sitemapaudit.config import Config, Scope
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.idling import wait_until_idle
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.crawling.page_fetcher import PageFetcher
from sitemapaudit.crawling.phases.agent_pages import AgentPages
from sitemapaudit.crawling.phases.links import LinkCrawl
from sitemapaudit.crawling.phases.media import MediaCheck
from sitemapaudit.crawling.phases.refetching import refetch
from sitemapaudit.crawling.phases.resumption import Resumption
from sitemapaudit.crawling.rechecks import recheck
from sitemapaudit.crawling.reuse import prepare_reuse
from sitemapaudit.crawling.revalidation import Reuse
from sitemapaudit.discovery.discovery import Discovery
from sitemapaudit.discovery.sitemap_reading import SitemapReading
from sitemapaudit.engine import stats
from sitemapaudit.engine.private_api import close_when_idle, process_item, wait_for_items
from sitemapaudit.engine.speeds import FULL, SPEEDS, share_speed
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.certificates import configure_trusted_authorities
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.fetching.pace import Pace
from sitemapaudit.fetching.staging_site import StagingSite
from sitemapaudit.hosts.agent_comparison import AgentComparison
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.items import Entries, Role
from sitemapaudit.redaction import RedactedLogRecord
from sitemapaudit.runs.records import EntryRecords
from sitemapaudit.runs.resuming import ResumedLedger
from sitemapaudit.workers.cores import most_workers

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from sitemapaudit.fetching.build_site import BuildSite
    from sitemapaudit.rendering.session import RenderSession
    from sitemapaudit.workers.pool import WorkerPool
    from sitemapaudit.workers.reader_pool import ReaderPool


class SitemapSpider(Spider):
    """Reads the sitemaps of a site, and fetches every URL that they list.

    Subclass it to give an audit another name or ``custom_settings``: arguments, exit statuses and
    run folders stay the same.
    """

    name = "sitemap"
    config: Config
    renderer: RenderSession | None
    staging: StagingSite | None
    build: BuildSite | None
    address_policy: AddressPolicy
    """Which addresses the download handler may connect to."""

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Apply AUDIT_SPEED; settings of the command line take precedence."""
        # Scrapy logs from here on, and the settings first.
        logging.setLogRecordFactory(RedactedLogRecord)
        super().update_settings(settings)
        settings.setdict(SPEEDS.get(settings.get("AUDIT_SPEED"), {}), priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Read arguments and settings; raises ConfigError."""
        config = Config.read(kwargs, crawler.settings)
        spider = super().from_crawler(crawler, *args)
        spider.config = config
        if config.arguments.folder:  # There is no server that could be too slow.
            crawler.settings.setdict(SPEEDS[FULL], priority="spider")
        share_speed(crawler.settings, config.arguments.shard.count)
        spider.renderer = _renderer(crawler, config)
        crawler.signals.connect(spider.opened, signal=signals.spider_opened)
        close_when_idle(crawler)
        return spider

    def opened(self) -> None:
        """Create the parts of the crawl."""
        config, crawler = self.config, self.crawler
        self._scope = scope = self._serve_demo() if config.is_demo else config.scope
        self.address_policy = policy = AddressPolicy(scope.exempt_origins, scope.private_hosts)
        self.staging = StagingSite.create(config, crawler.stats)
        self.build = _build(config)
        if self.build is not None:
            self.build.log_problems()
        self._fetcher = fetcher = Fetcher(crawler, config, policy)
        pace = Pace(crawler, config.settings.max_delay, config.arguments.shard.count)
        self._hosts = hosts = Hosts(config, fetcher, pace)
        enabled = config.settings.compare_agents
        comparison = AgentComparison(crawler, fetcher, hosts.sites, enabled=enabled)
        reading = SitemapReading(crawler, config, self._new_readers())
        self._discovery = Discovery(config, hosts, fetcher, comparison, reading)
        reuse = prepare_reuse(crawler, config, self._run)
        self._workers = workers = self._new_workers(scope, reuse)
        pages = PageFetcher.create(config, fetcher, reuse)
        self._crawl = PageCrawl(config, hosts, pages, pace, self.renderer, comparison, workers)
        self._intake = Intake(crawler, self._crawl)
        self._links = LinkCrawl(crawler, config, hosts, self._crawl)
        self._agent_pages = AgentPages(crawler, config, hosts, self._crawl)
        self._media = MediaCheck(config, hosts, fetcher, pace, self._crawl.selection)
        self._resumption: Resumption | None = None
        if config.arguments.resume:
            self._resumption = Resumption(crawler, config, ResumedLedger(self._run))
            self._resumption.restore(hosts, self._discovery)
        self._at_end(hosts.close)
        self._at_end(self._crawl.close)
        configure_trusted_authorities()

    async def start(self) -> AsyncIterator[Any]:
        """Read the sitemaps, and fetch what they list as fast as there is room."""
        self._check_written()
        if self.renderer is not None:
            await self.renderer.open(self._hosts, self._fetcher, self.address_policy)
            self._at_end(self.renderer.close)
        async for robots in self._discovery.start(self._scope.sites, self._scope.sitemaps):
            yield robots
        if self._resumption is not None:
            async for output in self._resumption.fetch_missing(self._crawl, self._intake):
                yield output
        async for output in self._read_sitemaps():
            yield output
        async for output in self._fetch_last():
            yield output
        await wait_for_items(self.crawler)
        if self._workers is not None and await wait_until_idle(
            self.crawler, lambda: self._crawl.is_idle
        ):
            self._workers.retire()

    async def _read_sitemaps(self) -> AsyncIterator[Any]:
        async for item in self._discovery.read_sitemaps():
            if isinstance(item, Entries):
                async for output in self._intake.fetch_entries(item):
                    yield output
            elif isinstance(item, EntryRecords):
                await process_item(self.crawler, item)
                for robots in self._intake.fetch_robots(item.origins):
                    yield robots
            else:
                yield item
        for output in self._crawl.frontier.fetch_deferred():
            yield output
        self._note_all_listed()

    def _note_all_listed(self) -> None:
        """Note that LISTED stays, unless pages are requested in batches after a sample."""
        if isinstance(self.config.arguments.pages, int) or not self.config.samples:
            self.crawler.stats.set_value(stats.ALL_LISTED, 1)

    async def _fetch_last(self) -> AsyncIterator[Any]:
        """Fetch what is chosen when every entry is known, and then failed pages once more.

        Images and videos come last: a page of the same URL was fetched by then.
        """
        if self.config.samples:
            # Few runs query their ledger: DuckDB takes 3 % of an audit of ten URLs to import.
            from sitemapaudit.crawling.phases.samples import Samples  # noqa: PLC0415

            samples = Samples(self.crawler, self.config, self._run)
            async for output in samples.fetch(self._crawl, self._intake, self.renderer):
                yield output
        async for output in self._links.fetch(self._run, self._intake):
            yield output
        async for output in self._intake.fetch(self._crawl.select(self._built())):
            yield output
        async for output in refetch(self.crawler, self._run, self._crawl, self._intake):
            yield output
        async for output in self._agent_pages.fetch(self._run, self._intake):
            yield output
        async for output in recheck(self.crawler, self._crawl, self._intake):
            yield output
        async for output in self._media.run(self._run):
            yield output

    def _built(self) -> Iterator[FetchTask]:
        """Yield the pages of a build that nothing led to, if all pages are fetched."""
        if self.build is not None and self.config.arguments.pages == "all":
            for addresses in self.build.pages():
                if not any(map(self._crawl.selection.is_selected, addresses)):
                    yield FetchTask(addresses[0], Role.BUILT)

    def _check_written(self) -> None:
        """End the run before its first request if its folder cannot be written."""
        error = self.crawler.stats.get_value(stats.WRITE_ERROR)
        if error:
            raise CloseSpider(error)

    @property
    def _is_fast(self) -> bool:
        return self.config.settings.speed == FULL or self.config.arguments.folder is not None

    def _processes(self) -> int:
        """Return how many processes may work for this run at a time."""
        return self.config.arguments.workers or (most_workers() if self._is_fast else 1)

    def _new_readers(self) -> ReaderPool | None:
        """Return processes that read sitemaps, if nothing here needs the entries."""
        config, count = self.config, self._processes()
        if count == 1 or config.arguments.pages != "none":
            return None
        # Few sites are so large.
        from sitemapaudit.workers.job import new_reading_job  # noqa: PLC0415
        from sitemapaudit.workers.reader_pool import ReaderPool  # noqa: PLC0415

        at_once = config.arguments.workers is not None
        level = self.crawler.settings["LOG_LEVEL"]
        readers = ReaderPool(self.crawler, new_reading_job(config, level), count, at_once=at_once)
        self._at_end(readers.close)
        return readers

    def _new_workers(self, scope: Scope, reuse: Reuse | None) -> WorkerPool | None:
        config, count = self.config, self._processes()
        # Each can send one request to a host at the least.
        count = min(count, self.crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"))
        if count == 1 or config.renders:
            return None
        # Few sites are so large.
        from sitemapaudit.workers.job import new_job  # noqa: PLC0415
        from sitemapaudit.workers.pool import WorkerPool  # noqa: PLC0415

        job = new_job(self.crawler.settings, config, scope, count, reuse)
        workers = WorkerPool(self.crawler, job, count, at_once=config.arguments.workers is not None)
        self._at_end(workers.close)
        return workers

    @property
    def _run(self) -> Path:
        return Path(self.crawler.stats.get_value(stats.RUN))

    def _serve_demo(self) -> Scope:
        # The demo takes a fiftieth of a second to import, and few runs need it.
        from sitemapaudit.demo.serving import ServedDemo  # noqa: PLC0415

        demo = ServedDemo(self.config)
        self._at_end(demo.stop)
        return demo.scope

    def _at_end(self, undo: Callable[[], Any]) -> None:
        def spider_closed() -> Any:
            return undo()

        # A weak connection would be dropped: nothing else holds this function.
        self.crawler.signals.connect(spider_closed, signals.spider_closed, weak=False)


def _renderer(crawler: Crawler, config: Config) -> RenderSession | None:
    if not config.renders:
        return None
    # Playwright takes a fifth of the time of all imports, and few runs need it.
    from sitemapaudit.rendering.session import RenderSession  # noqa: PLC0415

    return RenderSession.create(crawler, config)


def _build(config: Config) -> BuildSite | None:
    if config.arguments.folder is None:
        return None
    # Few runs audit a folder.
    from sitemapaudit.fetching.build_site import BuildSite  # noqa: PLC0415

    return BuildSite.create(config)
