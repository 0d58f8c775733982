"""Pages: from the URL to its row, its rendering and its follow-ups."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from sitemapaudit.config import Config
from sitemapaudit.crawling.agent_comparison import AgentComparison
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.fetcher import Fetcher
from sitemapaudit.crawling.follow_ups import FollowUps
from sitemapaudit.crawling.frontier import ORIGIN, TASK, Callbacks, Frontier
from sitemapaudit.crawling.host_slots import HostSlots
from sitemapaudit.crawling.hosts import Hosts
from sitemapaudit.crawling.reading_thread import ReadingThread
from sitemapaudit.crawling.rechecks import Rechecks
from sitemapaudit.crawling.selection import Selection
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Page, RecheckedPage
from sitemapaudit.pages.page_reader import LargeBodyError, read_page

if TYPE_CHECKING:
    from scrapy.http import Response as ScrapyResponse
    from twisted.python.failure import Failure

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
        slots: HostSlots[FetchTask | str],
        renderer: PageRenderer | None,
        comparison: AgentComparison,
    ) -> None:
        callbacks = Callbacks(
            kept=self.parse_kept,
            page=self.parse_page if renderer is None else self.parse_and_render,
            page_failed=self.page_failed,
            robots=self.parse_robots,
            robots_failed=self.robots_failed,
        )
        self.frontier = Frontier(hosts, fetcher, slots, callbacks)
        self.selection = Selection(config, hosts)
        self._follow_ups = FollowUps(config, hosts)
        self.rechecks = Rechecks(enabled=config.rechecks)
        self._agent = config.arguments.agent
        self._hosts = hosts
        self._fetcher = fetcher
        self._renderer = renderer
        self._comparison = comparison
        self._reading = ReadingThread()

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
        """Request what a page leads to; it is so many steps from a listed page."""
        for task in self._follow_ups.of(page, steps):
            if self.selection.select_target(task):
                yield from self.frontier.fetch(task)

    def parse_page(self, response: ScrapyResponse) -> Iterator[Any] | AsyncIterator[Any]:
        """Read a page and request what it leads to; a large one is read in a thread."""
        ours, task = self._fetcher.read_response(response), response.meta[TASK]
        page = self._read_small(ours, task)
        return self._outputs(page, task) if page else self._parse_large(ours, task)

    def parse_kept(self, response: Response, task: FetchTask) -> Iterator[Any] | None:
        """Read the response of a file whose URL is also a page; None if its body is large."""
        page = self._read_small(response, task)
        return self._page_outputs(page, task) if page else None

    async def _parse_large(self, response: Response, task: FetchTask) -> AsyncIterator[Any]:
        page = await self._reading.run(self._read_page, response, task)
        for output in self._outputs(page, task):
            yield output

    async def parse_and_render(self, response: ScrapyResponse) -> AsyncIterator[Any]:
        """Read a page, request what it leads to, and render it if it is chosen."""
        ours, task = self._fetcher.read_response(response), response.meta[TASK]
        page = self._read_small(ours, task)
        if page is None:
            page = await self._reading.run(self._read_page, ours, task)
        for output in self._outputs(page, task):
            yield output
            if isinstance(output, Page) and self._renderer is not None:
                async for row in self._renderer.render(ours, output):
                    yield row

    def page_failed(self, failure: Failure) -> Iterator[Any]:
        """Record a page without a response."""
        task: FetchTask = failure.request.meta[TASK]  # type: ignore[attr-defined]
        yield from self._outputs(self._read_page(self._fetcher.read_failure(failure), task), task)

    async def parse_robots(self, response: ScrapyResponse) -> AsyncIterator[Any]:
        """Read a robots.txt and request what waited for it."""
        ours = self._fetcher.read_response(response)
        async for output in self._open(response.meta[ORIGIN], ours):
            yield output

    async def robots_failed(self, failure: Failure) -> AsyncIterator[Any]:
        """Record a robots.txt without a response."""
        response = await self._fetcher.explain_tls_error(self._fetcher.read_failure(failure))
        origin: str = failure.request.meta[ORIGIN]  # type: ignore[attr-defined]
        async for output in self._open(origin, response):
            yield output

    async def _open(self, origin: str, response: Response) -> AsyncIterator[Any]:
        self._fetcher.files.keep(response)
        robots = await self._hosts.open(origin, response)
        if robots is not None:
            yield robots
        for output in self.frontier.robots_arrived(origin):
            yield output

    def _outputs(self, page: Page, task: FetchTask) -> Iterator[Any]:
        yield from self.frontier.page_arrived(task)
        yield from self._page_outputs(page, task)

    def _page_outputs(self, page: Page, task: FetchTask) -> Iterator[Any]:
        if task.first is not None and not self.rechecks.settle(page, task.first):
            return
        if self._renderer is not None:
            self._renderer.choose(page)
        if task.first is None:
            self.rechecks.add(page, task.steps)
        yield page
        yield from self._comparison.of_page(page)
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
