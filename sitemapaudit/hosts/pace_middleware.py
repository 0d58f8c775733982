"""The downloader middleware that is the closest to the downloader: it keeps the pace of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

from scrapy.exceptions import IgnoreRequest

from sitemapaudit.engine.audits import config_of
from sitemapaudit.engine.private_api import is_closing
from sitemapaudit.fetching.exchange import Exchange
from sitemapaudit.fetching.fetcher import RECEIVED

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response as ScrapyResponse


class Watcher(Protocol):
    """Sees each request before it waits for its slot, and each response first."""

    def take_request(self, request: Request) -> None:
        """See a request."""

    def take_response(self, response: ScrapyResponse, request: Request) -> None:
        """See a response, before the next request of its host is sent."""


class PaceMiddleware:
    """Shows requests and responses to the ``pace`` of the spider.

    A response that another process received takes the place of its request.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._spider: Any = crawler.spider

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware. Raises NotConfigured if the spider is not an audit."""
        config_of(crawler)
        return cls(crawler)

    def process_request(self, request: Request) -> ScrapyResponse | None:
        """Show a request; return its response if that is known.

        Raises IgnoreRequest for a repetition once the run is being closed.
        """
        exchange = Exchange.of(request)
        exchange.retries = request.meta.get("retry_times", 0)
        if exchange.retries and is_closing(self._crawler):
            raise IgnoreRequest("the run is being closed")
        pace: Watcher | None = self._spider.pace
        if pace is not None:
            pace.take_request(request)
        received: ScrapyResponse | None = request.meta.pop(RECEIVED, None)
        if received is not None:
            received.request = request
            received.flags.append(RECEIVED)
        return received

    def process_response(self, request: Request, response: ScrapyResponse) -> ScrapyResponse:
        """Show a response."""
        pace: Watcher | None = self._spider.pace
        if pace is not None:
            pace.take_response(response, request)
        return response
