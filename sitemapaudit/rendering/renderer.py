"""Opens pages in the browser of scrapy-playwright, and sees that each ends as a row."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import Error as BrowserError
from playwright.async_api import Page as Tab
from scrapy import Request
from scrapy_playwright.page import PageMethod

from sitemapaudit.answer import Answer
from sitemapaudit.config import Config
from sitemapaudit.crawling.hosts import Hosts
from sitemapaudit.items import Error, Page, Reason, Rendering, Robots
from sitemapaudit.rendering.reading import read_observed, reply_of
from sitemapaudit.rendering.resources import Resources
from sitemapaudit.rendering.visit import Over, Patience, Visit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

SLOT: Final = "browser"
"""The slot of the downloader in which pages wait for the browser."""

OF_A_CONTEXT: Final = 50
"""Pages that are opened in one context: then a new one takes over, and the old one is closed."""

_LEAST: Final = 10.0
"""Seconds that a page may take at least, however short the patience with downloads is."""

_GRACE: Final = 30.0
"""Seconds that the browser itself may take beside the patience with a page."""

_CLOSING: Final = 10.0


class UnansweredError(Exception):
    """The browser, or the driver between it and us, says nothing any more."""


class Renderer:
    """Renders pages; what goes wrong with the browser is tried again, and then told in the row."""

    def __init__(
        self, crawler: Crawler, config: Config, hosts: Hosts, context_options: dict[str, Any]
    ) -> None:
        self._crawler = crawler
        self._agent = config.arguments.agent
        self._patience = Patience(config.settings.settle, max(config.timeout, _LEAST))
        self._retries = crawler.settings.getint("RETRY_TIMES")
        self._resources = Resources(hosts, config.settings.max_hosts)
        self._context_options = context_options
        self._tabs = config.settings.tabs
        self._turns = asyncio.Semaphore(self._tabs)
        self._unanswered = 0
        self._opened = 0
        self._open: Counter[str] = Counter()

    def take_robots(self) -> list[Robots]:
        """Return the rows of robots.txt files that were read for what pages load, each once."""
        rows = list(self._resources.robots)
        self._resources.robots.clear()
        return rows

    async def render(self, answer: Answer, page: Page, reason: Reason) -> Rendering:
        """Open a page in the browser from the bytes that the site has answered."""
        rendering = Rendering(page.url, reason)
        async with self._turns:
            for rendering.retries in range(self._retries + 1):
                if not await self._try(answer, rendering):
                    break
        rendering.ended_at = datetime.now(UTC)
        return rendering

    async def _try(self, answer: Answer, rendering: Rendering) -> bool:
        """Open the page once, and fill the row; return whether it is worth trying again."""
        visit = Visit(reply_of(answer), self._patience, self._resources.decide)
        failure: tuple[Error, str] | None = None
        again = False
        try:
            await self._visit(visit, rendering.url)
        except Over:
            self._unanswered = 0
        except TimeoutError:
            failure = Error.TIMEOUT, f"it is still busy after {self._patience.total:g} seconds"
        except UnansweredError as error:
            self._unanswered += 1
            failure = Error.BROWSER, str(error)
        except BrowserError as error:
            failure, again = _told(error), True
        except Exception as error:
            # Ours, not the site's: it is logged, and costs nothing but this rendering.
            logger.exception("Page %s could not be rendered", rendering.url)
            failure = Error.INTERNAL, repr(error)
        read_observed(visit.observed, answer, rendering, self._agent)
        if failure:
            rendering.error, rendering.error_detail = failure
            rendering.verdict = None
        return again

    async def _visit(self, visit: Visit, url: str) -> None:
        """Open a page and stay on it; always ends with an exception, as the visit does."""
        if self._unanswered >= self._tabs:
            raise UnansweredError("the browser has stopped answering")
        context = f"pages-{self._opened // OF_A_CONTEXT}"
        self._opened += 1
        self._open[context] += 1
        request = self._request(visit, url, context)
        patience = asyncio.timeout(self._patience.total + _GRACE)
        try:
            async with patience:
                await self._download(request, visit)
            raise BrowserError("the page was not opened")
        except TimeoutError:
            if patience.expired():
                raise UnansweredError("the browser does not answer") from None
            raise
        finally:
            self._open[context] -= 1
            await self._leave(request.meta.get("playwright_page"), context)

    async def _download(self, request: Request, visit: Visit) -> None:
        try:
            await self._crawler.engine.download_async(request)
        except BrowserError as error:
            tab = request.meta.get("playwright_page")
            if tab is None or "interrupted by another navigation" not in error.message:
                raise
            await visit.stay(tab)  # It went on before it was quite there.

    def _request(self, visit: Visit, url: str, context: str) -> Request:
        meta = {
            "playwright": True,
            "playwright_include_page": True,
            "playwright_context": context,
            "playwright_context_kwargs": self._context_options,
            "playwright_page_init_callback": visit.prepare,
            "playwright_page_goto_kwargs": {"wait_until": "commit"},
            "playwright_page_methods": [PageMethod(visit.stay)],
            "download_slot": SLOT,
            "dont_retry": True,
            "verbatim_url": True,
        }
        return Request(url, meta=meta, dont_filter=True)

    async def _leave(self, tab: Tab | None, context: str) -> None:
        """Close a page, and its context if that was the last page of it."""
        if tab is None:
            return
        with suppress(BrowserError, TimeoutError):
            async with asyncio.timeout(_CLOSING):
                await tab.close()
                self._crawler.stats.inc_value("playwright/page_count/closed")
                current = f"pages-{self._opened // OF_A_CONTEXT}"
                if not self._open[context] and context != current:
                    del self._open[context]
                    await tab.context.close()


def _told(error: BrowserError) -> tuple[Error, str]:
    message = error.message.partition("\n")[0]
    return (Error.CRASHED if "crash" in message.lower() else Error.BROWSER), message
