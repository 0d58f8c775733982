"""scrapy-playwright's download handler, with one browser for http and https.

Requests that no browser opens are downloaded as usual.
"""

from typing import Final, Self
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response as ScrapyResponse
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from sitemapaudit.fetching.foreign_handlers import handlers_of


class BrowserHandler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """One handler for both schemes: Scrapy would create a handler for each."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the handler of a crawl, the same for every scheme."""
        if crawler not in _handlers:
            handler = _handlers[crawler] = cls(crawler)
            # A visit has one page; the renderer retries with a new visit.
            handler.config.target_closed_max_retries = 0
        return _handlers[crawler]

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        # A project can have other handlers; each scheme has one.
        handlers = handlers_of(crawler.settings)
        made = {each: build_from_crawler(load_object(each), crawler) for each in handlers.values()}
        self._others = {scheme: made[handler] for scheme, handler in handlers.items()}

    async def download_request(self, request: Request) -> ScrapyResponse:
        """Return the response for a request, from the browser if it says so."""
        if request.meta.get("playwright"):
            response: ScrapyResponse = await super().download_request(request)
            return response
        scheme = request.url.partition(":")[0]
        return await self._others[scheme].download_request(request)  # type: ignore[no-any-return]

    async def close(self) -> None:
        """Close the browser and all connections, once."""
        if _handlers.pop(self._crawler, None) is not None:
            for handler in set(self._others.values()):
                await handler.close()
            await super().close()


_handlers: Final[WeakKeyDictionary[Crawler, BrowserHandler]] = WeakKeyDictionary()
