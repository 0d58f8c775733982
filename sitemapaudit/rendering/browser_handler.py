"""scrapy-playwright's download handler, with one browser for http and https."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self
from weakref import WeakKeyDictionary

from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from sitemapaudit.crawling.private_api import limit_response_heads

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class BrowserHandler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """One handler for both schemes: Scrapy would create a handler for each."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the handler of a crawl, the same for every scheme."""
        if crawler not in _handlers:
            handler = _handlers[crawler] = cls(crawler)
            limit_response_heads(handler)
            # A visit is of one page; the renderer retries with a new one.
            handler.config.target_closed_max_retries = 0
        return _handlers[crawler]

    async def close(self) -> None:
        """Close the browser, once."""
        if _handlers.pop(self._crawler, None) is not None:
            await super().close()


_handlers: Final[WeakKeyDictionary[Crawler, BrowserHandler]] = WeakKeyDictionary()
