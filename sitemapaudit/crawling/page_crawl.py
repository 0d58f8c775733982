"""Pages: from the URL to its row, its rendering and its follow-ups."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sitemapaudit.config import Config
from sitemapaudit.crawling.agent_comparison import AgentComparison
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.fetcher import Fetcher
from sitemapaudit.crawling.fetches import Fetches
from sitemapaudit.crawling.follow_ups import FollowUps
from sitemapaudit.crawling.frontier import TASK, Actions, Frontier
from sitemapaudit.crawling.host_slots import HostSlots
from sitemapaudit.crawling.hosts import Hosts, robots_url
from sitemapaudit.crawling.pace import Pace
from sitemapaudit.crawling.reading_thread import ReadingThread
from sitemapaudit.crawling.rechecks import Rechecks
from sitemapaudit.crawling.selection import Selection
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Page, RecheckedPage, Role
from sitemapaudit.pages.page_reader import LargeBodyError, read_page

if TYPE_CHECKING:
    from scrapy import Request

    from sitemapaudit.crawling.rendering_hook import PageRenderer

logger = logging.getLogger(__name__)


class PageCrawl:
    """Fetches pages, reads them, and follows what they lead to.

    ``renderer`` opens pages in a browser; None if nothing is rendered.
    """

    def __init__(
        self,
        config: Config,
        hosts: Hosts,
        fetcher: Fetcher,
        pace: Pace,
        renderer: PageRenderer | None,
        comparison: AgentComparison,
    ) -> None:
        actions = Actions(self._start_page, self._start_robots, self._outputs_of_kept)
        settings = fetcher.crawler.settings
        in_flight = settings.getint("CONCURRENT_REQUESTS") or sys.maxsize
        self.frontier = Frontier(
            hosts, fetcher.files, HostSlots(in_flight, self._max_in_flight), actions
        )
        self._pace = pace
        self._max_unread = settings.getint("SCRAPER_SLOT_MAX_ACTIVE_SIZE")
        self._unread = 0
        self.selection = Selection(config, hosts)
        self._follow_ups = FollowUps(config, hosts)
        self.rechecks = Rechecks(enabled=config.rechecks)
        self._agent = config.arguments.agent
        self._hosts = hosts
        self._fetcher = fetcher
        self._fetches = Fetches(fetcher.crawler)
        self._renderer = renderer
        self._comparison = comparison
        self._reading = ReadingThread()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is in flight: only then nothing can follow."""
        return self._fetches.is_idle

    def close(self) -> None:
        """Read no more pages."""
        self._reading.close()

    def restore(self, page: Page, steps: int) -> None:
        """Take over a page that was fetched before the run was resumed."""
        if isinstance(page, RecheckedPage):
            self.rechecks.restore(page)
        else:
            self.rechecks.add(page, steps)
        self.selection.restore(page)
        self._follow_ups.restore(page)
        if self._renderer is not None:
            self._renderer.choose(page)

    def follow(self, page: Page, steps: int) -> Iterator[Any]:
        """Fetch what a page leads to; it is so many steps from a listed page."""
        for task in self._follow_ups.of(page, steps):
            if self.selection.select_target(task):
                yield from self.frontier.fetch(task)

    def _start_page(self, task: FetchTask) -> None:
        if task.role is Role.LISTED:
            self._comparison.expect(task.url)
        self._fetches.start(self._fetch_page(task))

    async def _fetch_page(self, task: FetchTask) -> None:
        """Fetch and read a page. Its row is written before the next request takes its slot."""
        try:
            response = await self._fetcher.fetch(self._page_request(task))
            page = self._read_small(response, task)
            if page is None:
                page = await self._read_large(response, task)
            await self._fetches.process(self._outputs(page, task))
        finally:
            self.frontier.page_arrived(task)
        if page.role is Role.LISTED:
            await self._comparison.of_page(page)
        if self._renderer is not None and task.first is None:
            await self._fetches.process(self._renderer.render(response, page))

    async def _read_large(self, response: Response, task: FetchTask) -> Page:
        """Read a page in a thread; while many bytes wait for that, nothing else is requested."""
        self._unread += len(response.body)
        try:
            return await self._reading.run(self._read_page, response, task)
        finally:
            self._unread -= len(response.body)

    def _max_in_flight(self, host: str) -> int:
        return 0 if self._unread > self._max_unread else self._pace.max_in_flight(host)

    def _page_request(self, task: FetchTask) -> Request:
        meta = {TASK: task} if task.first is None else {TASK: task, "max_retry_times": 0}
        return self._fetcher.page_request(task.url, meta=meta)

    def _start_robots(self, origin: str) -> None:
        self._fetches.start(self._fetch_robots(origin))

    async def _fetch_robots(self, origin: str) -> None:
        """Fetch and read a robots.txt, and then what waited for it."""
        response = await self._fetcher.fetch_file(self._fetcher.robots_request(robots_url(origin)))
        robots = await self._hosts.open(origin, response)
        if robots is not None:
            await self._fetches.process(iter((robots,)))
        await self._fetches.process(self.frontier.robots_arrived(origin))

    def _outputs_of_kept(self, response: Response, task: FetchTask) -> Iterator[Any] | None:
        """Read the response of a file whose URL is also a page; None if its body is large."""
        page = self._read_small(response, task)
        return self._outputs(page, task) if page else None

    def _outputs(self, page: Page, task: FetchTask) -> Iterator[Any]:
        if task.first is not None and not self.rechecks.settle(page, task.first):
            return
        if self._renderer is not None:
            self._renderer.choose(page)
        if task.first is None:
            self.rechecks.add(page, task.steps)
        yield page
        yield from self.follow(page, task.steps)

    def _read_small(self, response: Response, task: FetchTask) -> Page | None:
        """Return a page at once; None if its body is large."""
        try:
            return self._read_page(response, task, only_small=True)
        except LargeBodyError:
            return None

    def _read_page(self, response: Response, task: FetchTask, *, only_small: bool = False) -> Page:
        page = task.new_page(allowed=True)
        try:
            return read_page(response, page, self._agent, only_small=only_small)
        except LargeBodyError:
            raise
        except Exception as error:
            # Our fault, not the site's: it is logged, and costs only this page.
            logger.exception("Page %s could not be read", task.url)
            detail = f"{type(error).__name__}: {error}"
            return task.new_page(error=Error.INTERNAL, error_detail=detail)
