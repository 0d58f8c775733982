"""Scrapy's stats of requests and responses, by its names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

from scrapy.exceptions import NotConfigured
from scrapy.utils.python import global_object_name

from sitemapaudit import urls
from sitemapaudit.engine.audits import config_of
from sitemapaudit.engine.private_api import own_headers
from sitemapaudit.fetching.fetcher import RECEIVED
from sitemapaudit.fetching.plain_response import PlainResponse

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response as ScrapyResponse

_LINE: Final = 4
"""The bytes of a header line besides its name and its value."""

_START: Final = 15
"""The bytes of the usual start line of a response, and of the empty line after the headers."""


class RequestStats:
    """Counts requests, responses, their bytes and exceptions, as Scrapy's DownloaderStats does.

    A response of another process is counted there. Bytes of requests are those of the start line
    and of the request's own headers; the handler adds others.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._count = crawler.stats.inc_value

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware. Raises NotConfigured without an audit or DOWNLOADER_STATS."""
        config_of(crawler)
        if not crawler.settings.getbool("DOWNLOADER_STATS"):
            raise NotConfigured
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Count a request."""
        if RECEIVED in request.meta:
            return
        method, count = request.method, self._count
        count("downloader/request_count")
        count(f"downloader/request_method_count/{method}")
        headers = own_headers(request)
        size = sum(len(name) + len(value) + _LINE for name, value in headers.items())
        target = urls.request_target(request.url)
        count("downloader/request_bytes", len(method) + len(target) + _START + size)

    def process_response(
        self,
        request: Request,  # noqa: ARG002 - of Scrapy
        response: ScrapyResponse,
    ) -> ScrapyResponse:
        """Count a response."""
        if RECEIVED in response.flags:
            return response
        count = self._count
        count("downloader/response_count")
        count(f"downloader/response_status_count/{response.status}")
        if isinstance(response, PlainResponse):
            lines = response.raw_headers
            size = sum([len(name) + len(value) + _LINE for name, value in lines])
        else:
            size = len(response.headers.to_string())
        count("downloader/response_bytes", _START + size + len(response.body))
        return response

    def process_exception(
        self,
        request: Request,  # noqa: ARG002 - of Scrapy
        exception: Exception,
    ) -> None:
        """Count an exception."""
        self._count("downloader/exception_count")
        self._count(f"downloader/exception_type_count/{global_object_name(type(exception))}")
