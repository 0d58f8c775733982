"""The spider: a list of phases, and one loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Self

from scrapy import Spider, signals
from scrapy.exceptions import CloseSpider

from sitemapaudit.config import Config, Scope
from sitemapaudit.config.components import check_settings
from sitemapaudit.crawling.assembling import assemble
from sitemapaudit.crawling.crawl import Crawl
from sitemapaudit.crawling.item_output import process_item
from sitemapaudit.crawling.new_run import new_run
from sitemapaudit.crawling.reuse import prepare_reuse
from sitemapaudit.engine.audits import apply_crawl_settings
from sitemapaudit.engine.event_loop import check_event_loop
from sitemapaudit.engine.machine_faults import stop_if_short
from sitemapaudit.engine.private_api import close_when_idle
from sitemapaudit.engine.settings_table import IGNORED_ATTRIBUTES, ignored_settings
from sitemapaudit.engine.signals import fetching_finished
from sitemapaudit.engine.speeds import FULL, SPEEDS, share_speed
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.foreign_handlers import check_handlers
from sitemapaudit.fetching.http_session import learn_addresses
from sitemapaudit.runs.audit_run import AuditRun
from sitemapaudit.workers.pools import new_reader_pool, new_worker_pool

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from sitemapaudit.fetching.access import SiteAccess
    from sitemapaudit.hosts.pace import Pace
    from sitemapaudit.rendering.session import RenderSession
    from sitemapaudit.workers.pool import WorkerPool

logger = logging.getLogger(__name__)


class SitemapSpider(Spider):
    """Reads the sitemaps of a site, and fetches every URL that they list.

    Subclass it to give an audit another name or ``custom_settings``: arguments, exit statuses and
    run folders stay the same.
    """

    name = "sitemap"
    config: Config
    run: AuditRun
    """The folder, the manifest and the ledger of the audit."""

    access: SiteAccess
    """The access of the download handler to the site."""

    pace: Pace | None = None
    """The pace that hosts ask for, if it is kept."""

    _renderer: RenderSession | None = None
    _workers: WorkerPool | None = None
    _ignored: dict[str, str]
    _crawl: Crawl
    _scope: Scope

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Apply ``custom_settings``, and the settings of an audit below those of the project."""
        super().update_settings(settings)
        apply_crawl_settings(settings)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Read arguments and settings; raises ConfigError."""
        check_event_loop(crawler.settings)
        check_settings(crawler.settings)
        config = Config.read(kwargs, crawler.settings)
        spider = super().from_crawler(crawler, *args)
        spider.configure(config)
        return spider

    def configure(self, config: Config) -> None:
        """Apply a configuration to the settings, before the engine reads them."""
        crawler = self.crawler
        check_handlers(config, crawler.settings)
        # Scrapy gives each spider an empty list ``start_urls``.
        attributes = {
            name: why for name, why in IGNORED_ATTRIBUTES.items() if getattr(self, name, None)
        }
        self._ignored = ignored_settings(crawler.settings) | attributes
        self.config = config
        self.run = new_run(config, crawler.settings)
        if config.arguments.folder:  # No server could be too slow.
            crawler.settings.setdict(SPEEDS[FULL], priority="spider")
        share_speed(crawler.settings, config.arguments.shard.count)
        self._renderer = _new_renderer(crawler, config)
        crawler.signals.connect(self.opened, signal=signals.spider_opened)
        close_when_idle(crawler)

    def opened(self) -> None:
        """Create the parts of the crawl, once the run has a folder."""
        if self.run.error is not None:
            return
        config, crawler = self.config, self.crawler
        if self._ignored:
            reasons = ", ".join(f"{name} ({why})" for name, why in self._ignored.items())
            logger.warning("Without effect in an audit: %s", reasons)
        scope = self._serve_demo() if config.is_demo else config.scope
        addresses = AddressPolicy(scope.exempt_origins, scope.private_hosts)
        addresses.restore(self.run.manifest.first_addresses)
        for host, found in config.first_addresses.items():
            addresses.learn(host, found)
        reuse = prepare_reuse(config, self.run)
        assembly = assemble(crawler, config, addresses, reuse)
        self.access = access = assembly.access
        if access.build is not None:
            access.build.log_problems()
            self.run.manifest.preset = access.build.preset
            self.run.manifest.build_generator = access.build.generator
            self.run.manifest.deployment_fault = access.build.deployment_fault
        readers = new_reader_pool(crawler, config)
        self._workers = workers = new_worker_pool(crawler, config, addresses, reuse)
        pools = (readers, workers)
        self._crawl = Crawl(crawler, config, self.run, assembly, self._renderer, pools)
        self._scope = scope
        for part in (self._crawl, *pools):
            if part is not None:
                self._at_end(part.close)
        if reuse is not None:
            self._at_end(reuse.remove)

    async def start(self) -> AsyncIterator[Any]:
        """Run the phases in order; their items go directly to the pipelines."""
        if self.run.error is not None:
            raise CloseSpider(self.run.error)
        try:
            await self._run_phases()
        except Exception as error:
            if not stop_if_short(self.crawler, error):
                raise
        except asyncio.CancelledError:
            if self.run.is_open:
                raise
        nothing: tuple[Any, ...] = ()
        for item in nothing:  # Scrapy requires a generator.
            yield item

    async def _run_phases(self) -> None:
        parts = self._crawl.parts
        await learn_addresses(self.access.addresses)
        self.run.note_addresses(self.access.addresses.first)
        if self._renderer is not None:
            await self._renderer.open(parts.hosts, parts.fetcher, self.access.addresses)
            self._at_end(self._renderer.close)
        self.run.longest_wait = parts.responses.longest_wait
        for phase in self._crawl.phases(self._scope):
            self.run.phase = phase.name
            logger.info("Phase: %s", phase.name)
            async for item in phase.fetch():
                await process_item(self.crawler, item)
            if not await parts.fetches.wait_until_idle():
                return
        if self._workers is not None:
            self._workers.retire()
        await self.crawler.signals.send_catch_log_async(fetching_finished)

    def _serve_demo(self) -> Scope:
        # The demo takes 20 ms to import, and few runs need it.
        from sitemapaudit.demo.serving import ServedDemo  # noqa: PLC0415

        demo = ServedDemo(self.config)
        self._at_end(demo.stop)
        return demo.scope

    def _at_end(self, undo: Callable[[], Any]) -> None:
        def spider_closed() -> Any:
            return undo()

        # A weak connection would be dropped: nothing else refers to this function.
        self.crawler.signals.connect(spider_closed, signals.spider_closed, weak=False)


def _new_renderer(crawler: Crawler, config: Config) -> RenderSession | None:
    if not config.renders:
        return None
    # Playwright takes 20 % of the time of all imports, and few runs need it.
    from sitemapaudit.rendering.session import RenderSession  # noqa: PLC0415

    return RenderSession.create(crawler, config)
