"""Fetches pages and reads them."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.fetcher import Fetcher
from sitemapaudit.crawling.frontier import TASK
from sitemapaudit.crawling.reading_thread import ReadingThread
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Page
from sitemapaudit.pages.html import Html
from sitemapaudit.pages.links import NO_SOURCES, LinkReader, PageLinks
from sitemapaudit.pages.page_reader import LargeBodyError, read_page

if TYPE_CHECKING:
    from scrapy.http import Response as ScrapyResponse
    from selectolax.lexbor import LexborHTMLParser

logger = logging.getLogger(__name__)

_FOLLOWS_NONE: Final = frozenset({"nofollow", "none"})
"""Directives of a page whose links crawlers must not follow."""


@dataclass(slots=True, frozen=True)
class ReadPage:
    """A page that was read, and its links, if they are recorded and it has any."""

    page: Page
    links: PageLinks | None = None


class PageFetcher:
    """Fetches pages and reads them for an ``agent``: small ones at once, large ones in a thread.

    ``links`` reads the links of pages; None if they are not recorded.
    """

    def __init__(self, fetcher: Fetcher, agent: str, links: LinkReader | None = None) -> None:
        self._fetcher = fetcher
        self._agent = agent
        self._links = links
        self._reading = ReadingThread()
        self._max_unread = fetcher.crawler.settings.getint("SCRAPER_SLOT_MAX_ACTIVE_SIZE")
        self._unread = 0
        self._read = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """Whether so many bytes wait to be read that nothing else should be requested."""
        return self._unread > self._max_unread

    async def wait_for_room(self) -> None:
        """Wait until bodies were read, if it is full."""
        while self.is_full:
            self._read.clear()
            await self._read.wait()

    def close(self) -> None:
        """Read no more pages."""
        self._reading.close()

    async def fetch(
        self, task: FetchTask, refused: ScrapyResponse | None = None, retries: int = 0
    ) -> tuple[Response, ReadPage]:
        """Return the response for a URL, and the page read from it.

        With ``refused``, go on from a response that another process got after some retries.
        """
        meta: dict[str, Any] = {TASK: task}
        if task.first is not None:
            meta["max_retry_times"] = 0
        if retries:
            meta["retry_times"] = retries
        request = self._fetcher.page_request(task.url, meta=meta)
        response = await self._fetcher.fetch(request, refused)
        page = self.read_small(response, task)
        return response, page or await self._read_large(response, task)

    def read_small(self, response: Response, task: FetchTask) -> ReadPage | None:
        """Return a page at once; None if its body is large."""
        try:
            return self._read_page(response, task, only_small=True)
        except LargeBodyError:
            return None

    async def _read_large(self, response: Response, task: FetchTask) -> ReadPage:
        self._unread += len(response.body)
        try:
            return await self._reading.run(self._read_page, response, task)
        finally:
            self._unread -= len(response.body)
            self._read.set()

    def _read_page(
        self, response: Response, task: FetchTask, *, only_small: bool = False
    ) -> ReadPage:
        page = task.new_page(allowed=True)
        found: list[PageLinks] = []

        def read_links(tree: LexborHTMLParser, html: Html) -> None:
            if self._links is not None and task.role not in NO_SOURCES:
                found.append(self._links.read(tree, html.base_url(page.url), page.url))

        try:
            page = read_page(response, page, self._agent, only_small=only_small, also=read_links)
            for links in found:
                if not _FOLLOWS_NONE.isdisjoint(page.directives):
                    links.forbid_following()
            return ReadPage(page, found[0] if found else None)
        except LargeBodyError:
            raise
        except Exception as error:
            # Our fault, not the site's: it is logged, and costs only this page.
            logger.exception("Page %s could not be read", task.url)
            detail = f"{type(error).__name__}: {error}"
            return ReadPage(task.new_page(error=Error.INTERNAL, error_detail=detail))
