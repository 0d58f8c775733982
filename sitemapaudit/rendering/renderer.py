"""Opens pages in the browser of scrapy-playwright, and returns a row for each."""

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

from playwright.async_api import Error as BrowserError
from playwright.async_api import Page as Tab
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy_playwright.page import PageMethod

from sitemapaudit.config import Config
from sitemapaudit.crawling.page_fetcher import link_reader, own_columns
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Page, Rendering, RenderReason, Robots
from sitemapaudit.machine import find_shortage
from sitemapaudit.pages.links import PageLinks
from sitemapaudit.rendering.observations import first_line
from sitemapaudit.rendering.page_visit import PageVisit, Serve, VisitEnded, VisitTimeouts
from sitemapaudit.rendering.rendered_page import fill_rendering, stored_response
from sitemapaudit.rendering.resources import ResourcePolicy
from sitemapaudit.runs.ledger.link_log import LinkRecord

logger = logging.getLogger(__name__)

SLOT: Final = "browser"
"""The slot of the downloader in which pages wait for the browser."""

PAGES_PER_CONTEXT: Final = 50
"""The number of pages in a browser context before a new one replaces it."""

_MIN_TIMEOUT: Final = 10.0
"""The shortest time limit of a page in seconds, even if DOWNLOAD_TIMEOUT is shorter."""

_BROWSER_TIMEOUT: Final = 30.0
"""Seconds that the browser may take in addition to the page."""

_CLOSE_TIMEOUT: Final = 10.0

_PAUSE: Final = 1.0
"""Seconds before the first retry, in which an ended browser is replaced; twice that before the
second.
"""


class UnresponsiveError(Exception):
    """The browser, or the driver between it and us, no longer responds."""


class Renderer:
    """Renders pages; a failure of the browser is retried, and then recorded in the row."""

    def __init__(
        self,
        crawler: Crawler,
        config: Config,
        hosts: Hosts,
        context_options: dict[str, Any],
        serve: Serve | None,
    ) -> None:
        self._crawler = crawler
        self._agent = config.arguments.agent
        total = max(config.timeout, _MIN_TIMEOUT)
        self._timeouts = VisitTimeouts(config.settings.render_idle, total)
        self._retries = crawler.settings.getint("RETRY_TIMES")
        self._resources = ResourcePolicy(hosts, config.settings.max_hosts)
        self._context_options = context_options
        self._serve = serve
        self._concurrency = config.settings.render_concurrency
        self._semaphore = asyncio.Semaphore(self._concurrency)
        self._config = config
        self._links: dict[str, PageLinks] = {}
        self._unresponsive = 0
        self._opened = 0
        self._open: Counter[str] = Counter()

    def take_robots(self) -> list[Robots]:
        """Return the rows of robots.txt files that were read for resources, each once."""
        rows = list(self._resources.robots)
        self._resources.robots.clear()
        return rows

    def take_links(self, url: str) -> LinkRecord | None:
        """Return the links of a rendered page, once; None if there are none to record."""
        links = self._links.pop(url, None)
        return LinkRecord.of(links, rendered=True) if links else None

    async def render(self, response: Response, page: Page, reason: RenderReason) -> Rendering:
        """Open a page in the browser from the bytes that were fetched."""
        rendering = Rendering(page.url, reason)
        try:
            async with self._semaphore:
                for rendering.retries in range(self._retries + 1):
                    await asyncio.sleep(rendering.retries * _PAUSE)
                    if not await self._try(response, rendering):
                        break
        except Exception as error:
            if find_shortage(error) is not None:
                raise
            # Our fault, not the site's: it is logged, and affects only this rendering.
            logger.exception("Page %s could not be rendered", page.url)
            rendering = Rendering(page.url, reason, error=Error.INTERNAL)
            rendering.error_detail = first_line(repr(error))
        rendering.ended_at = datetime.now(UTC)
        return rendering

    async def _try(self, response: Response, rendering: Rendering) -> bool:
        """Open the page once, and fill the row; return whether to retry."""
        stored = await asyncio.to_thread(stored_response, response)
        visit = PageVisit(stored, self._timeouts, self._resources.decide, self._serve)
        failure: tuple[Error, str] | None = None
        retry = False
        try:
            await self._visit(visit, rendering.url)
        except VisitEnded:
            self._unresponsive = 0
        except TimeoutError:
            failure = Error.TIMEOUT, f"it was still busy after {self._timeouts.total:g} seconds"
        except UnresponsiveError as error:
            self._unresponsive += 1
            failure = Error.BROWSER, str(error)
        except BrowserError as error:
            failure, retry = _describe(error, visit), True
        # The document of the browser can be large, and is as hostile as the page.
        # Its thread has its own reader, because a reader remembers what it has read.
        links = await asyncio.to_thread(
            fill_rendering,
            visit.observed,
            response,
            rendering,
            self._agent,
            link_reader(self._config),
            own_columns(self._config),
        )
        if links is not None:
            self._links[rendering.url] = links
        if failure:
            rendering.error, rendering.error_detail = failure
            rendering.verdict = None
        return retry

    async def _visit(self, visit: PageVisit, url: str) -> None:
        """Open and watch a page; always ends with an exception, as the visit does."""
        if self._unresponsive >= self._concurrency:
            raise UnresponsiveError("the browser has stopped responding")
        context = self._current_context
        self._opened += 1
        self._open[context] += 1
        request = self._request(visit, url, context)
        timeout = asyncio.timeout(self._timeouts.total + _BROWSER_TIMEOUT)
        try:
            async with timeout:
                await self._download(request, visit)
            raise BrowserError("the page was not opened")
        except TimeoutError:
            if timeout.expired():
                raise UnresponsiveError("the browser does not respond") from None
            raise
        finally:
            visit.end()
            self._open[context] -= 1
            await self._close(request.meta.get("playwright_page"), context)

    @property
    def _current_context(self) -> str:
        return f"pages-{self._opened // PAGES_PER_CONTEXT}"

    async def _download(self, request: Request, visit: PageVisit) -> None:
        try:
            await self._crawler.engine.download_async(request)
        except BrowserError as error:
            tab = request.meta.get("playwright_page")
            if tab is None or "interrupted by another navigation" not in error.message:
                raise
            await visit.watch(tab)  # The page navigated before it was loaded.

    def _request(self, visit: PageVisit, url: str, context: str) -> Request:
        meta = {
            "playwright": True,
            "playwright_include_page": True,
            "playwright_context": context,
            "playwright_context_kwargs": self._context_options,
            "playwright_page_init_callback": visit.prepare,
            "playwright_page_goto_kwargs": {"wait_until": "commit"},
            "playwright_page_methods": [PageMethod(visit.watch)],
            "download_slot": SLOT,
            "dont_retry": True,
            "verbatim_url": True,
        }
        return Request(url, meta=meta, dont_filter=True)

    async def _close(self, tab: Tab | None, context: str) -> None:
        """Close a page, and an old context after its last page."""
        if tab is None:
            return
        with suppress(BrowserError, TimeoutError):
            async with asyncio.timeout(_CLOSE_TIMEOUT):
                await tab.close()
                self._crawler.stats.inc_value("playwright/page_count/closed")
                if not self._open[context] and context != self._current_context:
                    del self._open[context]
                    await tab.context.close()


def _describe(error: BrowserError, visit: PageVisit) -> tuple[Error, str]:
    if visit.crashed:
        return Error.CRASHED, "its process in the browser crashed"
    return Error.BROWSER, first_line(error.message)
