"""The spider: requests and callbacks, no opinions."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from scrapy import Request, Spider, signals

from sitemapaudit import urls
from sitemapaudit.answer import Answer
from sitemapaudit.config import Config, Site
from sitemapaudit.crawling.addresses import Allowance, guard_connections
from sitemapaudit.crawling.certificates import name_authorities
from sitemapaudit.crawling.closing import see_to_the_end
from sitemapaudit.crawling.discovery import Discovery
from sitemapaudit.crawling.failures import CertificateFilter
from sitemapaudit.crawling.fetching import Fetcher
from sitemapaudit.crawling.frontier import Frontier, Wanted
from sitemapaudit.crawling.hosts import Hosts, robots_url
from sitemapaudit.crawling.leads import Leads
from sitemapaudit.crawling.pace import Pace
from sitemapaudit.crawling.samples import Samples
from sitemapaudit.crawling.speeds import SPEEDS, share_speed
from sitemapaudit.crawling.turns import Turns
from sitemapaudit.datasets.resuming import Past, breathing
from sitemapaudit.demo.website import Demo
from sitemapaudit.items import Entries, Entry, Error, Page, Role
from sitemapaudit.pages.reader import read_page
from sitemapaudit.passwords import DiscreetRecord
from sitemapaudit.pipelines import DONE_STAT, LISTED_STAT, RUN_STAT

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

    from sitemapaudit.rendering.stage import Stage

logger = logging.getLogger(__name__)

MAX_PARKED: Final = 10_000
"""URLs that may wait for the robots.txt of their hosts before reading on waits as well."""


class SitemapSpider(Spider):
    """Reads the sitemaps of a site, and asks for every URL that they list."""

    name = "sitemap"
    config: Config
    stage: Stage | None

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Set the speed that is asked for; what the command line sets stands above it."""
        # From here on Scrapy logs, the settings at first.
        logging.setLogRecordFactory(DiscreetRecord)
        super().update_settings(settings)
        settings.setdict(SPEEDS.get(settings.get("AUDIT_SPEED"), {}), priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Check what was asked for; raises ConfigError."""
        config = Config.read(kwargs, crawler.settings)
        spider = super().from_crawler(crawler, *args)
        spider.config = config
        if not config.is_demo and not crawler.settings.getpriority("HTTPAUTH_DOMAIN"):
            # A password is for the audited site alone.
            domain = urls.authority(config.first_origin)
            crawler.settings.set("HTTPAUTH_DOMAIN", domain, priority="spider")
        share_speed(crawler.settings, config.arguments.shard.count)
        spider.stage = _stage(crawler, config)
        crawler.signals.connect(spider.opened, signal=signals.spider_opened)
        see_to_the_end(crawler)
        return spider

    def opened(self) -> None:
        """Make what asks and what decides."""
        config, arguments = self.config, self.config.arguments
        self._sites, private = arguments.site, config.settings.private_hosts
        if config.is_demo:
            demo = self._serve(Demo())
            if config.is_later:
                demo.let_a_week_pass()
            self._sites, private = tuple(map(Site, demo.sites)), frozenset(demo.private_hosts)
        origins = [origin for site in self._sites for origin in site.origins]
        origins += map(urls.origin, arguments.sitemap)
        self._allowance = allowance = Allowance(origins, private)
        self._fetcher = Fetcher(self.crawler, config, allowance)
        workers = arguments.shard.count
        pace = Pace(self.crawler, config.settings.max_wait, workers)
        self._hosts = Hosts(config, self._fetcher, pace)
        self._discovery = Discovery(config, self._hosts, self._fetcher)
        turns: Turns[Wanted | str] = Turns(
            self.crawler.settings.getint("CONCURRENT_REQUESTS") or MAX_PARKED, pace.most
        )
        self._frontier = Frontier(
            config, self._hosts, self._page_request, self._robots_request, turns
        )
        self._leads = Leads(config, self._hosts)
        self._past = self._restored() if arguments.resume else None
        self._at_end(guard_connections(allowance))
        name_authorities()
        logging.getLogger("twisted").addFilter(CertificateFilter())

    def _restored(self) -> Past:
        past = Past(self._run)
        for robots in past.robots():
            self._hosts.restore(robots)
        children = past.children()
        for sitemap in past.sitemaps():
            self._discovery.restore(sitemap, children.get(sitemap.sitemap, []))
        return past

    def _serve(self, demo: Demo) -> Demo:
        demo.start()
        self._at_end(demo.stop)
        return demo

    def _at_end(self, undo: Callable[[], Any]) -> None:
        def spider_closed() -> Any:
            return undo()

        # Scrapy would drop a function that nobody else holds.
        self.crawler.signals.connect(spider_closed, signals.spider_closed, weak=False)

    async def start(self) -> AsyncIterator[Any]:
        """Read the sitemaps, no faster than there is room for what they list."""
        if self.stage is not None:
            await self.stage.open(self._hosts, self._allowance)
            self._at_end(self.stage.close)
        async for robots in self._discovery.begin(self._sites, self.config.arguments.sitemap):
            yield robots
        for part in (self._take_up(), self._read_sitemaps(), self._ask_sampled()):
            async for output in part:
                yield output

    async def _read_sitemaps(self) -> AsyncIterator[Any]:
        async for item in self._discovery.items():
            chosen = self._choose(item) if isinstance(item, Entries) else []
            yield item
            async for output in self._ask(chosen):
                yield output
            if isinstance(item, Entries):
                for request in self._frontier.introduce(item):
                    yield request

    async def _take_up(self) -> AsyncIterator[Any]:
        """Ask for what was listed or led to before the run was resumed, and was not answered."""
        past = self._past
        if past is None:
            return
        steps: dict[str, int] = {}
        async for page in breathing(past.pages()):
            self._frontier.restore(page)
            self._leads.restore(page)
            if self.stage is not None:
                self.stage.choose(page)
            if page.role is Role.LISTED:
                self.crawler.stats.inc_value(DONE_STAT)
                self.crawler.stats.inc_value(LISTED_STAT)
            else:
                steps[page.url] = steps.get(page.via or "", 0) + 1
        async for entry in breathing(past.entries()):
            async for output in self._ask_again(entry):
                yield output
        async for page in breathing(past.pages()):
            await self._room()
            for output in self._lead_on(page, steps.get(page.url, 0)):
                yield output
            for request in self._frontier.get_to_know([urls.origin(page.url)]):
                yield request

    async def _ask_again(self, entry: Entry) -> AsyncIterator[Any]:
        if entry.url is None:
            return
        for request in self._frontier.get_to_know([urls.origin(entry.url)]):
            yield request
        if entry.left_out is None and not self.config.draws:
            wanted = self._frontier.claim(entry.url)
            self.crawler.stats.inc_value(LISTED_STAT, int(wanted is not None))
            async for output in self._ask([wanted] if wanted else []):
                yield output

    def parse_page(self, response: Response) -> Iterator[Any]:
        """Read a page, and ask for what it leads to."""
        answer = self._fetcher.answer_of(response)
        yield from self._read(answer, response.meta["wanted"])

    async def parse_and_show(self, response: Response) -> AsyncIterator[Any]:
        """Read a page, ask for what it leads to, and open it in the browser if it is chosen."""
        answer = self._fetcher.answer_of(response)
        for output in self._read(answer, response.meta["wanted"]):
            yield output
            if isinstance(output, Page) and self.stage is not None:
                async for row in self.stage.show(answer, output):
                    yield row

    def page_failed(self, failure: Failure) -> Iterator[Any]:
        """Note that a page gave no answer."""
        request: Request = failure.request  # type: ignore[attr-defined]
        answer = self._fetcher.failed_answer(request, failure.value or RuntimeError(str(failure)))
        yield from self._read(answer, request.meta["wanted"])

    async def parse_robots(self, response: Response, origin: str) -> AsyncIterator[Any]:
        """Read the robots.txt of a host that a page or an entry named."""
        async for output in self._open(origin, self._fetcher.answer_of(response)):
            yield output

    async def robots_failed(self, failure: Failure) -> AsyncIterator[Any]:
        """Note that a robots.txt gave no answer."""
        request: Request = failure.request  # type: ignore[attr-defined]
        answer = self._fetcher.failed_answer(request, failure.value or RuntimeError(str(failure)))
        explained = await self._fetcher.explained(answer)
        async for output in self._open(request.cb_kwargs["origin"], explained):
            yield output

    def _choose(self, entries: Entries) -> list[Wanted]:
        """Mark the entries that are left out, and return those to be asked for now."""
        decided = [self._frontier.choose(entry) for entry in entries.rows]
        chosen = [wanted for wanted in decided if wanted is not None]
        self.crawler.stats.inc_value(LISTED_STAT, len(chosen))
        return chosen

    async def _ask(self, chosen: Iterable[Wanted]) -> AsyncIterator[Any]:
        for wanted in chosen:
            await self._room()
            for output in self._frontier.ask(wanted):
                yield output

    async def _room(self) -> None:
        """Wait until the engine has room, so that memory does not grow with the site."""
        while self.crawler.engine.needs_backout() or self._frontier.parked > MAX_PARKED:
            await self.crawler.signals.wait_for(signals.scheduler_empty)

    async def _ask_sampled(self) -> AsyncIterator[Any]:
        """Draw the samples once every entry is in the ledger, and ask for what is to be asked."""
        if not self.config.draws:
            return
        samples = Samples(self.crawler, self.config, self._run)
        await samples.ready()
        if self.stage is not None and isinstance(self.config.arguments.render, int):
            self.stage.take_sample(await samples.renderings(self.config.arguments.render))
        async for drawn in samples.pages():
            chosen = [wanted for url in drawn if (wanted := self._frontier.claim(url))]
            self.crawler.stats.inc_value(LISTED_STAT, len(chosen))
            async for output in self._ask(chosen):
                yield output

    @property
    def _run(self) -> Path:
        return Path(self.crawler.stats.get_value(RUN_STAT))

    async def _open(self, origin: str, answer: Answer) -> AsyncIterator[Any]:
        robots = await self._hosts.open(origin, answer)
        if robots is not None:
            yield robots
        for output in self._frontier.release(origin):
            yield output

    def _read(self, answer: Answer, wanted: Wanted) -> Iterator[Any]:
        yield from self._frontier.answered(wanted)
        page = self._page(answer, wanted)
        if self.stage is not None:
            self.stage.choose(page)
        yield page
        yield from self._lead_on(page, wanted.steps)

    def _lead_on(self, page: Page, steps: int) -> Iterator[Any]:
        for wanted in self._leads.of(page, steps):
            yield from self._frontier.target(wanted)

    def _page(self, answer: Answer, wanted: Wanted) -> Page:
        page = Page(wanted.url, wanted.role, wanted.via, allowed=True)
        try:
            return read_page(answer, page, self.config.arguments.agent)
        except Exception as error:
            # Ours, not the site's: it is logged, and costs nothing but this page.
            logger.exception("Page %s could not be read", wanted.url)
            detail = f"{type(error).__name__}: {error}"
            return Page(
                wanted.url, wanted.role, wanted.via, error=Error.INTERNAL, error_detail=detail
            )

    def _page_request(self, wanted: Wanted) -> Request:
        callback = self.parse_page if self.stage is None else self.parse_and_show
        request = self._fetcher.page_request(
            wanted.url, callback=callback, errback=self.page_failed
        )
        request.meta["wanted"] = wanted
        return request

    def _robots_request(self, origin: str) -> Request:
        return self._fetcher.robots_request(
            robots_url(origin),
            callback=self.parse_robots,
            errback=self.robots_failed,
            cb_kwargs={"origin": origin},
        )


def _stage(crawler: Crawler, config: Config) -> Stage | None:
    if not config.renders:
        return None
    # Playwright takes a fifth of the time of all imports, for what few runs ask for.
    from sitemapaudit.rendering.stage import Stage  # noqa: PLC0415

    return Stage.of(crawler, config)
