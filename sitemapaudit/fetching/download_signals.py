"""Scrapy's signals about a response that is arriving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import StopDownload
from scrapy.http import Headers

from sitemapaudit.engine.private_api import has_receivers
from sitemapaudit.fetching.plain_response import RawHeaders, group_headers

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from twisted.python.failure import Failure


class DownloadSignals:
    """Sends ``headers_received`` and ``bytes_received`` of a request, if there are receivers.

    ``stopped`` is the exception with which a receiver stopped the download; None if none did.
    """

    def __init__(self, crawler: Crawler, request: Request) -> None:
        self.stopped: StopDownload | None = None
        self._crawler = crawler
        self._request = request

    @classmethod
    def of(cls, crawler: Crawler, request: Request) -> DownloadSignals | None:
        """Return the signals of a request; None if nothing receives them."""
        wanted = (signals.headers_received, signals.bytes_received)
        return cls(crawler, request) if any(has_receivers(crawler, s) for s in wanted) else None

    def take_headers(self, raw: RawHeaders, length: str) -> bool:
        """Send the headers of the response; return whether to stop before the body."""
        size = int(length[:18]) if length.isdecimal() else -1
        headers = Headers(group_headers(raw))
        return self._send(signals.headers_received, headers=headers, body_length=size)

    def take_bytes(self, data: bytes) -> bool:
        """Send a part of the body; return whether to stop after it."""
        return self._send(signals.bytes_received, data=data)

    def _send(self, signal: object, **values: Any) -> bool:
        crawler = self._crawler
        results = crawler.signals.send_catch_log(
            signal, request=self._request, spider=crawler.spider, dont_log=StopDownload, **values
        )
        for _, result in results:
            error = _exception(result)
            if isinstance(error, StopDownload):
                self.stopped = error
        return self.stopped is not None


def _exception(result: Any | Failure) -> Any:
    return getattr(result, "value", None)
