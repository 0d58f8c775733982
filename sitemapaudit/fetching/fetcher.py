"""Requests of an audit, and their responses."""

from __future__ import annotations

import asyncio
import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from scrapy import Request

from sitemapaudit import robots, urls
from sitemapaudit.config import Config
from sitemapaudit.engine.machine_faults import stop_for
from sitemapaudit.engine.private_api import is_closing, keep_open
from sitemapaudit.engine.requests import requests_of
from sitemapaudit.engine.stalls import Stalls
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.body_download import BodyDownload
from sitemapaudit.fetching.exchange import Exchange
from sitemapaudit.fetching.failures import classify_error, describe_error
from sitemapaudit.fetching.network_control import NetworkControl
from sitemapaudit.fetching.proxies import proxies
from sitemapaudit.fetching.refusals import RefusedError
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error
from sitemapaudit.pages.page_reader import MAX_BYTES as MAX_PAGE_BYTES
from sitemapaudit.sitemaps.sitemap_reader import MAX_BYTES as MAX_SITEMAP_BYTES

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response as ScrapyResponse

RECEIVED: Final = "received"
"""The key in the meta of a request for a response that another process received."""

_FADING: Final = 0.9
"""The part of an earlier latency that counts after each response."""

logger = logging.getLogger(__name__)


class Fetcher:
    """Makes requests, and turns their results into responses."""

    def __init__(self, crawler: Crawler, config: Config, addresses: AddressPolicy) -> None:
        self.crawler = crawler
        self.latency = 0.0
        """The longest latency of recent responses, in seconds."""
        self._timeout = config.timeout
        self._sitemap_timeout = max(config.timeout, config.settings.sitemap_timeout)
        self._addresses = addresses
        self._staging = config.staging
        self._proxied = bool(proxies())
        most = crawler.settings.getint("DOWNLOAD_MAXSIZE") or sys.maxsize
        self._page_bytes = min(MAX_PAGE_BYTES, most)
        self._sitemap_bytes = min(MAX_SITEMAP_BYTES, most)
        self._network = NetworkControl(addresses, crawler.settings)
        self._stalls = Stalls(crawler)

    def page_request(
        self, url: str, *, rechecked: bool = False, alone: bool = False, **values: Any
    ) -> Request:
        """Return a request for a page; the body is skipped if it is not HTML.

        If it fails, a ``rechecked`` page is fetched once more at the end of the run. ``alone``, it
        uses a connection without other requests.
        """
        exchange = Exchange(BodyDownload(self._page_bytes, html_only=True), rechecked, alone)
        return self._request(url, exchange, **values)

    def media_request(
        self, url: str, method: str, *, alone: bool = False, **values: Any
    ) -> Request:
        """Return a request for the headers of an image or a video.

        HEAD is not repeated: GET is the second attempt. GET requests the first byte only.
        """
        headers = {"Accept": "*/*"}
        if method == "HEAD":
            values["meta"] = {"dont_retry": True}
        else:
            headers["Range"] = "bytes=0-0"
        exchange = Exchange(BodyDownload(unwanted=True), alone=alone)
        return self._request(url, exchange, method=method, headers=headers, **values)

    def resource_request(self, url: str) -> Request:
        """Return a request for a resource of a page, such as a script."""
        return self._request(url, Exchange(BodyDownload(self._sitemap_bytes)))

    def robots_request(self, url: str) -> Request:
        """Return a request for a robots.txt: alone, because all that follows depends on it."""
        return self._request(url, Exchange(BodyDownload(2 * robots.MAX_BYTES), alone=True))

    def sitemap_request(self, url: str) -> Request:
        """Return a request for a sitemap: alone, because all that follows depends on it."""
        meta = {"download_timeout": self._sitemap_timeout}
        exchange = Exchange(BodyDownload(self._sitemap_bytes), alone=True)
        return self._request(url, exchange, meta=meta)

    async def fetch(self, request: Request, refused: ScrapyResponse | None = None) -> Response:
        """Fetch a URL, and repeat that if a middleware says so. A failure is a response too.

        With ``refused``, continue from this response. Raises RefusedError in a worker, and
        CancelledError if the run is closed: then nothing is known about the URL.
        """
        requests = requests_of(self.crawler)
        if refused is not None:
            request.meta[RECEIVED] = refused
        while True:
            try:
                with keep_open(self.crawler):
                    result = await requests.download(request)
            except RefusedError:
                raise
            except Exception as exception:
                if is_closing(self.crawler):
                    raise asyncio.CancelledError from exception
                await self._check_machine(request, exception)
                return self.failed_response(request, exception)
            if not isinstance(result, Request):
                self._network.note_response(request.url)
                return self.read_response(result, request)
            if is_closing(self.crawler):
                raise asyncio.CancelledError
            request = result

    async def _check_machine(self, request: Request, exception: Exception) -> None:
        """Stop the audit if this machine made a request fail; then raise CancelledError."""
        fault = await self._network.find_fault(request, exception)
        if fault is not None:
            stop_for(self.crawler, fault)
            raise asyncio.CancelledError from exception

    def read_response(self, response: ScrapyResponse, request: Request) -> Response:
        """Convert a response of Scrapy into one of ours."""
        exchange = Exchange.of(request)
        download, shown = exchange.download, exchange.shown
        body, headers = response.body, _decode_headers(response)
        if shown is not None and body is shown.shown:
            body = shown.sent
            if shown.codings:
                headers["content-encoding"] = [_decode_value(each) for each in shown.codings]
        return Response(
            url=response.url,
            status=response.status,
            headers=headers,
            body=b"" if download.skipped else body,
            truncated=download.truncated,
            skipped=download.skipped,
            file=exchange.file,
            **self._transfer_values(request),
        )

    def failed_response(self, request: Request, exception: BaseException) -> Response:
        """Return the response of a request that failed."""
        error = classify_error(exception)
        host = urls.host(self._requested(request.url))
        refused = self._addresses.refused.get(host) if error is Error.DNS else None
        if error is Error.INTERNAL:
            logger.error("Request for %s failed", request.url, exc_info=exception)
        limit = request.meta.get("download_timeout", self._timeout)
        timeout = float(Exchange.of(request).time_limit or limit)
        error, detail = refused or (error, describe_error(exception, error, timeout))
        values = self._transfer_values(request)
        return Response(request.url, error=error, error_detail=detail, **values)

    def _request(self, url: str, exchange: Exchange, **values: Any) -> Request:
        # verbatim_url: the normalized URL is sent unchanged. dont_filter: the selection alone
        # knows which URLs were requested. download_slot: Scrapy would parse the URL for it.
        requested = self._requested(url)
        meta = {
            "verbatim_url": True,
            "download_slot": urls.host(url),
            **exchange.as_meta(),
            **values.pop("meta", {}),
        }
        if self._proxied and self._addresses.refuses(urls.host(requested), urls.port(requested)):
            meta["proxy"] = None  # No proxy may fetch it; without one, it is refused.
        return Request(url, meta=meta, dont_filter=True, **values)

    def _requested(self, url: str) -> str:
        """Return the URL that is requested for a URL: that of its staging, if it has one."""
        return self._staging.request_url(url) or url

    def _transfer_values(self, request: Request) -> dict[str, Any]:
        exchange = Exchange.of(request)
        self.latency = max(_FADING * self.latency, exchange.latency)
        return {
            "elapsed": self._elapsed(exchange),
            "retries": exchange.retries,
            "fetched_at": datetime.now(UTC),
        }

    def _elapsed(self, exchange: Exchange) -> float | None:
        """Return the seconds until a response; None if our own stalls were most of them."""
        arrived, latency = exchange.headers_at, exchange.latency
        if arrived is None:
            return None
        stalled = self._stalls.between(arrived - latency, arrived)
        return latency if stalled <= latency / 2 else None


def _decode_headers(response: ScrapyResponse) -> dict[str, list[str]]:
    raw = getattr(response, "raw_headers", ())  # A user's middleware can return another class.
    lines = raw or ((name, one) for name, values in response.headers.items() for one in values)
    decoded: dict[str, list[str]] = {}
    for name, value in lines:
        decoded.setdefault(name.decode("latin-1").lower(), []).append(_decode_value(value))
    return decoded


def _decode_value(value: bytes) -> str:
    """Decode a header value as UTF-8 if valid, otherwise as ISO 8859-1 (RFC 9110 section 5.5)."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
