"""Requests and responses, and where redirects lead."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from scrapy import Request, signals
from scrapy.exceptions import StopDownload
from scrapy.http.request import NO_CALLBACK

from sitemapaudit import robots, urls
from sitemapaudit.config import Config
from sitemapaudit.crawling.address_policy import AddressPolicy
from sitemapaudit.crawling.body_download import DOWNLOAD, BodyDownload
from sitemapaudit.crawling.certificates import explain_untrusted_certificate
from sitemapaudit.crawling.failures import classify_error, describe_error
from sitemapaudit.crawling.fetched_files import FetchedFiles
from sitemapaudit.crawling.private_api import is_closing
from sitemapaudit.crawling.proxies import proxies
from sitemapaudit.crawling.stalls import Stalls
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error
from sitemapaudit.pages.page_reader import MAX_BYTES as MAX_PAGE_BYTES
from sitemapaudit.sitemaps.sitemap_reader import MAX_BYTES as MAX_SITEMAP_BYTES

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Headers
    from scrapy.http import Response as ScrapyResponse
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)

_ELAPSED: Final = "elapsed"
"""In the meta of a request: the seconds until its response, unless most of them were our stalls."""


@dataclass(slots=True, frozen=True)
class FollowedResponse:
    """The response at the end of a redirect chain; ``hops`` counts the redirects."""

    response: Response
    hops: int


class Fetcher:
    """Makes requests, and turns their results into responses."""

    def __init__(self, crawler: Crawler, config: Config, policy: AddressPolicy) -> None:
        self._crawler = crawler
        self._timeout = config.timeout
        self._sitemap_timeout = max(config.timeout, config.settings.sitemap_timeout)
        self._policy = policy
        self._proxied = bool(proxies())
        self.files = FetchedFiles(only_other=config.renders)
        self._stalls = Stalls(crawler)
        crawler.signals.connect(self._on_headers, signal=signals.headers_received)
        crawler.signals.connect(self._on_bytes, signal=signals.bytes_received)

    def page_request(self, url: str, **values: Any) -> Request:
        """Return a request for a page; the body is skipped if it is not HTML."""
        return self._request(url, BodyDownload(MAX_PAGE_BYTES, html_only=True), **values)

    def robots_request(self, url: str, **values: Any) -> Request:
        """Return a request for a robots.txt."""
        return self._request(url, BodyDownload(2 * robots.MAX_BYTES), priority=100, **values)

    def sitemap_request(self, url: str) -> Request:
        """Return a request for a sitemap."""
        request = self._request(url, BodyDownload(MAX_SITEMAP_BYTES), callback=NO_CALLBACK)
        request.meta["download_timeout"] = self._sitemap_timeout
        return request

    async def fetch(self, request: Request) -> Response:
        """Fetch at once, without the scheduler; a failure is a response too."""
        try:
            return self.read_response(await self._crawler.engine.download_async(request))
        except Exception as exception:
            if is_closing(self._crawler):
                # The run ends, and its engine too: nothing is known about the URL.
                raise asyncio.CancelledError from exception
            return await self.explain_tls_error(self.failed_response(request, exception))

    async def fetch_file(self, request: Request) -> Response:
        """Fetch a robots.txt or a sitemap, and keep the response for a page with the same URL."""
        response = await self.fetch(request)
        self.files.keep(response)
        return response

    async def explain_tls_error(self, response: Response) -> Response:
        """Add to a response why its certificate is not trusted, if that is the error."""
        if response.error is Error.TLS and not self._proxied:
            reason = await explain_untrusted_certificate(response.url, self._policy)
            response.error_detail = reason or response.error_detail
        return response

    async def follow(
        self,
        first: Response,
        make_request: Callable[[str], Request],
        limit: int,
        refuse: Callable[[str], Awaitable[Response | None]],
    ) -> FollowedResponse:
        """Follow up to ``limit`` redirects.

        ``refuse`` returns a response in place of a URL that must not be fetched, else None.
        """
        response, hops, seen = first, 0, {first.url}
        while response.status in REDIRECT_STATUSES:
            hops += 1
            target = response.redirect_target()
            error = _redirect_error(target, seen, exhausted=hops > limit)
            if error is not None or target is None:
                return FollowedResponse(replace(response, error=error), hops)
            seen.add(target)
            response = await refuse(target) or await self.fetch_file(make_request(target))
        return FollowedResponse(response, hops)

    def read_response(self, response: ScrapyResponse) -> Response:
        """Return a response of Scrapy as one of ours."""
        request = response.request
        download: BodyDownload = request.meta[DOWNLOAD] if request else BodyDownload(0)
        return Response(
            url=response.url,
            status=response.status,
            headers=_decode_headers(response.headers),
            body=b"" if download.skipped else response.body,
            truncated=download.truncated,
            skipped=download.skipped,
            **_transfer_values(request),
        )

    def read_failure(self, failure: Failure) -> Response:
        """Return a failure of Scrapy as a response."""
        request: Request = failure.request  # type: ignore[attr-defined]
        return self.failed_response(request, failure.value or RuntimeError(str(failure)))

    def failed_response(self, request: Request, exception: BaseException) -> Response:
        """Return the response of a request that failed."""
        error = classify_error(exception)
        host = urls.host(request.url)
        if error is Error.DNS and host in self._policy.refused:
            error = Error.PRIVATE_ADDRESS
        if error is Error.INTERNAL:
            logger.error("Request for %s failed", request.url, exc_info=exception)
        timeout = float(request.meta.get("download_timeout", self._timeout))
        detail = (
            f"{host} has an address in a private network"
            if error is Error.PRIVATE_ADDRESS
            else describe_error(exception, error, timeout)
        )
        values = _transfer_values(request)
        return Response(request.url, error=error, error_detail=detail, **values)

    def _request(self, url: str, download: BodyDownload, **values: Any) -> Request:
        # verbatim_url: the normalized URL is sent unchanged. dont_filter: the selection alone
        # knows which URLs were requested.
        meta = {"verbatim_url": True, DOWNLOAD: download, **values.pop("meta", {})}
        if self._proxied and self._policy.refuses(urls.host(url), urls.port(url)):
            meta["proxy"] = None  # No proxy may fetch it; without one, it is refused.
        return Request(url, meta=meta, dont_filter=True, **values)

    def _on_headers(self, headers: Headers, request: Request) -> None:
        latency = request.meta.get("download_latency", 0)
        if self._stalls.since(time.monotonic() - latency) <= latency / 2:
            request.meta[_ELAPSED] = latency
        download = request.meta.get(DOWNLOAD)
        if download is not None and download.start(headers):
            raise StopDownload(fail=False)

    def _on_bytes(self, data: bytes, request: Request) -> None:
        download = request.meta.get(DOWNLOAD)
        if download is not None and download.add(data):
            raise StopDownload(fail=False)


def _redirect_error(target: str | None, seen: set[str], *, exhausted: bool) -> Error | None:
    if target is None:
        return Error.REDIRECT_INVALID
    if target in seen:
        return Error.REDIRECT_LOOP
    return Error.TOO_MANY_REDIRECTS if exhausted else None


def _decode_headers(headers: Headers) -> dict[str, list[str]]:
    return {
        name.decode("latin-1").lower(): [_decode_value(value) for value in headers.getlist(name)]
        for name in headers
    }


def _decode_value(value: bytes) -> str:
    """Decode a header value as UTF-8 if it is valid, else as ISO 8859-1 (RFC 9110 section 5.5)."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _transfer_values(request: Request | None) -> dict[str, Any]:
    meta = request.meta if request else {}
    return {
        "elapsed": meta.get(_ELAPSED),
        "retries": meta.get("retry_times", 0),
        "fetched_at": datetime.now(UTC),
    }
