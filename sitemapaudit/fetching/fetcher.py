"""Requests and responses, and where redirects lead."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace
from scrapy import Request

from sitemapaudit import robots, urls
from sitemapaudit.config import Config
from sitemapaudit.engine.private_api import held_open, is_closing
from sitemapaudit.engine.stalls import Stalls
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.body_download import DOWNLOAD, BodyDownload
from sitemapaudit.fetching.failures import classify_error, describe_error
from sitemapaudit.fetching.fetched_files import FetchedFiles
from sitemapaudit.fetching.http_handler import BUILD_FILE, HEADERS_AT, LATENCY
from sitemapaudit.fetching.pace import RefusedError
from sitemapaudit.fetching.proxies import proxies
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error
from sitemapaudit.pages.page_reader import MAX_BYTES as MAX_PAGE_BYTES
from sitemapaudit.sitemaps.sitemap_reader import MAX_BYTES as MAX_SITEMAP_BYTES

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response as ScrapyResponse

    from sitemapaudit.engine.downloader import Downloader

logger = logging.getLogger(__name__)


class FollowedResponse(Struct, frozen=True):
    """The response at the end of a redirect chain; ``hops`` counts the redirects."""

    response: Response
    hops: int


class Fetcher:
    """Makes requests, and turns their results into responses."""

    def __init__(self, crawler: Crawler, config: Config, policy: AddressPolicy) -> None:
        self.crawler = crawler
        self._timeout = config.timeout
        self._sitemap_timeout = max(config.timeout, config.settings.sitemap_timeout)
        self._policy = policy
        self._proxied = bool(proxies())
        self.files = FetchedFiles(only_other=config.renders)
        self._stalls = Stalls(crawler)

    def page_request(self, url: str, **values: Any) -> Request:
        """Return a request for a page; the body is skipped if it is not HTML."""
        return self._request(url, BodyDownload(MAX_PAGE_BYTES, html_only=True), **values)

    def media_request(self, url: str, method: str, **values: Any) -> Request:
        """Return a request for the headers of an image or a video.

        HEAD is not repeated: GET is the second attempt. GET asks for the first byte only.
        """
        headers = {"Accept": "*/*"}
        if method == "HEAD":
            values["meta"] = {"dont_retry": True}
        else:
            headers["Range"] = "bytes=0-0"
        download = BodyDownload(unwanted=True)
        return self._request(url, download, method=method, headers=headers, **values)

    def resource_request(self, url: str) -> Request:
        """Return a request for what a page loads, such as a script."""
        return self._request(url, BodyDownload(MAX_SITEMAP_BYTES))

    def robots_request(self, url: str, **values: Any) -> Request:
        """Return a request for a robots.txt."""
        return self._request(url, BodyDownload(2 * robots.MAX_BYTES), **values)

    def sitemap_request(self, url: str) -> Request:
        """Return a request for a sitemap."""
        request = self._request(url, BodyDownload(MAX_SITEMAP_BYTES))
        request.meta["download_timeout"] = self._sitemap_timeout
        return request

    async def fetch(self, request: Request, refused: ScrapyResponse | None = None) -> Response:
        """Fetch a URL, again if a middleware says so; a failure is a response too.

        With ``refused``, go on from this response. Raises RefusedError in a worker, and
        CancelledError if the run is closed: then nothing is known about the URL.
        """
        engine: Any = self.crawler.engine
        downloader: Downloader = engine.downloader
        while True:
            try:
                with held_open(self.crawler):
                    result = await downloader.download(request, refused)
            except RefusedError:
                raise
            except Exception as exception:
                if is_closing(self.crawler):
                    raise asyncio.CancelledError from exception
                return self.failed_response(request, exception)
            if not isinstance(result, Request):
                return self.read_response(result, request)
            if is_closing(self.crawler):
                raise asyncio.CancelledError
            request, refused = result, None

    async def fetch_file(self, request: Request) -> Response:
        """Fetch a robots.txt or a sitemap, and keep the response for a page with the same URL."""
        response = await self.fetch(request)
        self.files.keep(response)
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

    def read_response(self, response: ScrapyResponse, request: Request) -> Response:
        """Return a response of Scrapy as one of ours."""
        download: BodyDownload = request.meta[DOWNLOAD]
        return Response(
            url=response.url,
            status=response.status,
            headers=_decode_headers(response),
            body=b"" if download.skipped else response.body,
            truncated=download.truncated,
            skipped=download.skipped,
            file=request.meta.get(BUILD_FILE),
            **self._transfer_values(request),
        )

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
        values = self._transfer_values(request)
        return Response(request.url, error=error, error_detail=detail, **values)

    def _request(self, url: str, download: BodyDownload, **values: Any) -> Request:
        # verbatim_url: the normalized URL is sent unchanged. dont_filter: the selection alone
        # knows which URLs were requested. download_slot: Scrapy would parse the URL for it.
        host = urls.host(url)
        meta = {
            "verbatim_url": True,
            "download_slot": host,
            DOWNLOAD: download,
            **values.pop("meta", {}),
        }
        if self._proxied and self._policy.refuses(host, urls.port(url)):
            meta["proxy"] = None  # No proxy may fetch it; without one, it is refused.
        return Request(url, meta=meta, dont_filter=True, **values)

    def _transfer_values(self, request: Request) -> dict[str, Any]:
        meta = request.meta
        return {
            "elapsed": self._elapsed(meta),
            "retries": meta.get("retry_times", 0),
            "fetched_at": datetime.now(UTC),
        }

    def _elapsed(self, meta: dict[str, Any]) -> float | None:
        """Return the seconds until a response; None if most of them were our own stalls."""
        if HEADERS_AT not in meta:
            return None
        latency, arrived = meta[LATENCY], meta[HEADERS_AT]
        stalled: float = self._stalls.between(arrived - latency, arrived)
        return latency if stalled <= latency / 2 else None


def _redirect_error(target: str | None, seen: set[str], *, exhausted: bool) -> Error | None:
    if target is None:
        return Error.REDIRECT_INVALID
    if target in seen:
        return Error.REDIRECT_LOOP
    return Error.TOO_MANY_REDIRECTS if exhausted else None


def _decode_headers(response: ScrapyResponse) -> dict[str, list[str]]:
    raw = getattr(response, "raw_headers", ())  # A middleware of a user can return another one.
    lines = raw or ((name, one) for name, values in response.headers.items() for one in values)
    decoded: dict[str, list[str]] = {}
    for name, value in lines:
        decoded.setdefault(name.decode("latin-1").lower(), []).append(_decode_value(value))
    return decoded


def _decode_value(value: bytes) -> str:
    """Decode a header value as UTF-8 if it is valid, else as ISO 8859-1 (RFC 9110 section 5.5)."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
