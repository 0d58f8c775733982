"""Requests and answers: what may be downloaded of a body, and where redirects lead."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.request import getproxies

from scrapy import Request, signals
from scrapy.exceptions import StopDownload
from scrapy.http.request import NO_CALLBACK

from sitemapaudit import robots, urls
from sitemapaudit.answer import REDIRECTS, Answer
from sitemapaudit.config import Config
from sitemapaudit.crawling.addresses import Allowance
from sitemapaudit.crawling.certificates import why_untrusted
from sitemapaudit.crawling.failures import detail_of, error_of
from sitemapaudit.items import Error
from sitemapaudit.pages.reader import HTML_TYPES
from sitemapaudit.pages.reader import MAX_BYTES as PAGE_CAP
from sitemapaudit.sitemaps.reader import MAX_BYTES as SITEMAP_CAP

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response

logger = logging.getLogger(__name__)

SPARED: Final = 65_536
"""Bytes of a body that nobody reads from which on it is not downloaded.

A shorter one is there sooner than a new connection. What is more, its connection may be in
use again when the download is stopped, and a request that is lost with it is sent twice.
"""

_TRANSFER: Final = "transfer"


@dataclass(slots=True)
class Transfer:
    """How much of a body is wanted, and how much of it came."""

    cap: int
    html_only: bool = False
    received: int = 0
    cut: bool = False
    skipped: bool = False

    def begin(self, headers: Headers) -> bool:
        """Look at the headers of an answer; whether its body is not to come at all."""
        self.received, self.cut = 0, False
        self.skipped = self.html_only and _is_something_else(headers)
        length = headers.get(b"Content-Length") or b""
        return self.skipped and length.isdigit() and int(length[:18]) > SPARED

    def take(self, size: int) -> bool:
        """Count bytes of a body; whether no more of them are to come."""
        self.received += size
        enough = self.received > (SPARED if self.skipped else self.cap)
        self.cut = enough and not self.skipped
        return enough


@dataclass(slots=True, frozen=True)
class Followed:
    """The answer at the end of a chain of redirects, and how many answers were redirects."""

    answer: Answer
    hops: int


class Fetcher:
    """Makes requests, and turns what becomes of them into answers."""

    def __init__(self, crawler: Crawler, config: Config, allowance: Allowance) -> None:
        self._crawler = crawler
        self._timeout = config.timeout
        self._sitemap_timeout = max(config.timeout, config.settings.sitemap_timeout)
        self._allowance = allowance
        crawler.signals.connect(self._on_headers, signal=signals.headers_received)
        crawler.signals.connect(self._on_bytes, signal=signals.bytes_received)

    def page_request(self, url: str, **values: Any) -> Request:
        """Return a request for a page; of what is no HTML the headers are enough."""
        return self._request(url, Transfer(PAGE_CAP, html_only=True), **values)

    def robots_request(self, url: str, **values: Any) -> Request:
        """Return a request for a robots.txt."""
        return self._request(url, Transfer(2 * robots.MAX_BYTES), priority=100, **values)

    def sitemap_request(self, url: str) -> Request:
        """Return a request for a sitemap."""
        request = self._request(url, Transfer(SITEMAP_CAP), callback=NO_CALLBACK)
        request.meta["download_timeout"] = self._sitemap_timeout
        return request

    async def fetch(self, request: Request) -> Answer:
        """Ask at once, without the scheduler; what fails is an answer as well."""
        try:
            return self.answer_of(await self._crawler.engine.download_async(request))
        except Exception as exception:  # noqa: BLE001 - what fails is an answer
            return await self.explained(self.failed_answer(request, exception))

    async def explained(self, answer: Answer) -> Answer:
        """Return an answer with the reason why a certificate is not trusted, where that was it."""
        if answer.error is Error.TLS and not getproxies():
            reason = await why_untrusted(answer.url, self._allowance)
            answer.error_detail = reason or answer.error_detail
        return answer

    async def follow(
        self,
        first: Answer,
        ask: Callable[[str], Request],
        limit: int,
        refusal: Callable[[str], Awaitable[Answer | None]],
    ) -> Followed:
        """Follow up to ``limit`` redirects by hand.

        ``refusal`` gives what stands for the answer of an address that may not be asked for.
        """
        answer, hops, seen = first, 0, {first.url}
        while answer.status in REDIRECTS:
            hops += 1
            target = answer.target()
            error = _obstacle(target, seen, exhausted=hops > limit)
            if error is not None or target is None:
                return Followed(replace(answer, error=error), hops)
            seen.add(target)
            answer = await refusal(target) or await self.fetch(ask(target))
        return Followed(answer, hops)

    def answer_of(self, response: Response) -> Answer:
        """Return what a server said."""
        request = response.request
        transfer: Transfer = request.meta[_TRANSFER] if request else Transfer(0)
        return Answer(
            url=response.url,
            status=response.status,
            headers=_headers(response.headers),
            body=b"" if transfer.skipped else response.body,
            cut=transfer.cut,
            skipped=transfer.skipped,
            **_circumstances(request),
        )

    def failed_answer(self, request: Request, exception: BaseException) -> Answer:
        """Return what stands for an answer where there is none."""
        error = error_of(exception)
        host = urls.host(request.url)
        if error is Error.DNS and host in self._allowance.refused:
            error = Error.PRIVATE_ADDRESS
        if error is Error.INTERNAL:
            logger.error("Request for %s failed", request.url, exc_info=exception)
        timeout = float(request.meta.get("download_timeout", self._timeout))
        detail = (
            f"{host} has an address of a private network"
            if error is Error.PRIVATE_ADDRESS
            else detail_of(exception, error, timeout)
        )
        return Answer(request.url, error=error, error_detail=detail, **_circumstances(request))

    def _request(self, url: str, transfer: Transfer, **values: Any) -> Request:
        # verbatim_url: the normal form is asked for as it is; dont_filter: what
        # was asked already is known to the frontier, and to nobody else.
        meta = {"verbatim_url": True, _TRANSFER: transfer}
        return Request(url, meta=meta, dont_filter=True, **values)

    def _on_headers(self, headers: Headers, request: Request) -> None:
        transfer = request.meta.get(_TRANSFER)
        if transfer is not None and transfer.begin(headers):
            raise StopDownload(fail=False)

    def _on_bytes(self, data: bytes, request: Request) -> None:
        transfer = request.meta.get(_TRANSFER)
        if transfer is not None and transfer.take(len(data)):
            raise StopDownload(fail=False)


def _obstacle(target: str | None, seen: set[str], *, exhausted: bool) -> Error | None:
    if target is None:
        return Error.REDIRECT_INVALID
    if target in seen:
        return Error.REDIRECT_LOOP
    return Error.TOO_MANY_REDIRECTS if exhausted else None


def _is_something_else(headers: Headers) -> bool:
    media_type = (headers.get(b"Content-Type") or b"").partition(b";")[0].strip().lower()
    return bool(media_type) and media_type.decode("latin-1") not in HTML_TYPES


def _headers(headers: Headers) -> dict[str, list[str]]:
    return {
        name.decode("latin-1").lower(): [_text(value) for value in headers.getlist(name)]
        for name in headers
    }


def _text(value: bytes) -> str:
    """Decode a header value: UTF-8 where it is, else ISO 8859-1 (RFC 9110 section 5.5)."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _circumstances(request: Request | None) -> dict[str, Any]:
    meta = request.meta if request else {}
    return {
        "elapsed": meta.get("download_latency"),
        "retries": meta.get("retry_times", 0),
        "fetched_at": datetime.now(UTC),
    }
