"""The download handler of scrapy-playwright, with one browser for http and https."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self
from weakref import WeakKeyDictionary

from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from sitemapaudit.crawling.handler import limit_heads

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class BrowserHandler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """Scrapy makes a handler for each scheme: here these are the same one."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the handler of a crawl."""
        if crawler not in _handlers:
            _handlers[crawler] = cls(crawler)
            limit_heads(_handlers[crawler])
        return _handlers[crawler]

    async def close(self) -> None:
        """Close the browser, once."""
        if _handlers.pop(self._crawler, None) is not None:
            await super().close()


_handlers: Final[WeakKeyDictionary[Crawler, BrowserHandler]] = WeakKeyDictionary()
