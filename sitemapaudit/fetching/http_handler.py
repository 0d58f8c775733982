"""The download handler: aiohttp's client, with limits on responses and checked addresses."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from collections.abc import Awaitable, Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError
from scrapy.http import Response as ScrapyResponse

from sitemapaudit import urls
from sitemapaudit.engine.private_api import new_tls_context, own_headers, shows_responses
from sitemapaudit.engine.requested_url import REQUESTED_URL
from sitemapaudit.engine.requests import aiohttp_misfit
from sitemapaudit.engine.signals import responses_doubted
from sitemapaudit.fetching.access import SiteAccess
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.body_download import BodyDownload
from sitemapaudit.fetching.download_signals import DownloadSignals
from sitemapaudit.fetching.exchange import Exchange, is_of_audit
from sitemapaudit.fetching.failures import translate_error
from sitemapaudit.fetching.http_session import (
    MAX_HEAD_BYTES,
    RESPONSE_LIMITS,
    GuardedResolver,
    new_session,
    sent_url,
)
from sitemapaudit.fetching.network_control import local_address
from sitemapaudit.fetching.plain_request import PlainRequest, ResponseHead
from sitemapaudit.fetching.plain_response import PlainResponse, RawHeaders
from sitemapaudit.fetching.shown_response import shown_response
from sitemapaudit.fetching.staging_site import StagingSite

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    from sitemapaudit.fetching.kept_connections import KeptConnections

_MAX_CHECKED: Final = 10_000
"""The number of hosts that are remembered as checked."""

_Reader = Callable[[aiohttp.ClientResponse | ResponseHead], Awaitable[bytes]]

_PROXY_AUTHORIZATION: Final = "Proxy-Authorization"


class HttpHandler(BaseDownloadHandler):
    """Downloads http and https URLs. Sends each request once: Scrapy repeats and counts them.

    Every request gets the headers of USER_AGENT and DEFAULT_REQUEST_HEADERS that it does not set.

    The exchange of a request says how much of the body to download. The SiteAccess in ``access`` of
    the spider says which addresses are allowed, and what replaces the site.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self._timeout = settings.getfloat("DOWNLOAD_TIMEOUT")
        headers = {
            **settings.getdict("DEFAULT_REQUEST_HEADERS"),
            "User-Agent": settings["USER_AGENT"],
        }
        self._headers = {name: str(value) for name, value in headers.items() if value is not None}
        self._session: aiohttp.ClientSession | None = None
        self._single: aiohttp.ClientSession | None = None
        """A session that opens a connection for each request."""
        self._resolver: GuardedResolver | None = None
        self._kept: KeptConnections | None = None
        self._tls: ssl.SSLContext | None = None
        self._checked: set[str] = set()

    async def download_request(self, request: Request) -> ScrapyResponse:
        """Return the response for a request.

        Raises the exceptions of ``scrapy.exceptions``, NotInBuildError and NotOnStagingError.
        """
        access = self._access
        if access is not None and access.build is not None:
            return access.build.respond(request)
        exchange = Exchange.of(request)
        # A repeated request has those of the first request.
        exchange.headers_at = exchange.time_limit = None
        staging = self._staging
        url = request.url if staging is None else staging.request_url(request)
        REQUESTED_URL.set(request.url)
        self._check_address(url)
        began = time.monotonic()

        signals = DownloadSignals.of(self.crawler, request)
        # A large file has more time for its body, but not to begin.
        head = asyncio.timeout(self._timeout or None)

        async def read(response: aiohttp.ClientResponse | ResponseHead) -> bytes:
            head.reschedule(None)
            exchange.note_headers(request, began)
            return await _read_body(response, exchange.download, signals)

        try:
            async with head:
                response, body = await self._exchange(request, url, read)
        except (aiohttp.ClientError, HttpProcessingError, OSError, ValueError) as error:
            if head.expired():
                exchange.time_limit = self._timeout
            raise translate_error(error) from error
        raw = response.raw_headers
        if staging is not None:
            raw = staging.response_headers(request, raw)
            body = staging.response_body(request, body)
        return self._new_response(request, response.status, raw, body, signals)

    async def close(self) -> None:
        """Close all connections."""
        for session in (self._session, self._single):
            if session is not None:
                await session.close()

    async def _exchange(
        self, request: Request, url: str, read: _Reader
    ) -> tuple[aiohttp.ClientResponse | ResponseHead, bytes]:
        """Return a response and its body, over an open connection if possible."""
        if self._kept is not None and self._is_usual(request):
            tls = self._tls_context() if _is_https(url) else None
            plain = PlainRequest(request.method, url, own_headers(request))
            connection = await self._kept.take(plain, tls)
            if connection is not None:
                return await self._kept.exchange(connection, plain, self._seconds(request), read)
        async with self._send(request, url) as response:
            return response, await read(response)

    def _is_usual(self, request: Request) -> bool:
        """Return whether a request is one of an audit, without a body, a proxy or staging."""
        if (
            not is_of_audit(request)
            or Exchange.of(request).alone
            or request.meta.get("proxy")
            or self._staging is not None
        ):
            return False
        return not request.body

    def _send(self, request: Request, url: str) -> Any:
        if self._session is None:  # There was no event loop and no policy before.
            self._session = self._new_session(reuses=True)
            self._kept = _keep_connections(self._session, self._headers, self._doubt)
            if self._kept is None:
                self._session.detach()
                self._session = self._new_session(reuses=False)
        headers = own_headers(request)
        authorization = headers.pop(_PROXY_AUTHORIZATION, None)
        proxy = request.meta.get("proxy")
        values: dict[str, Any] = {}
        if self._staging is not None:
            more, values = self._staging.request_values(request)
            headers.update(more)
        session = self._session
        if Exchange.of(request).alone:
            session = self._single = self._single or self._new_single_session()
        return session.request(
            request.method,
            sent_url(url),
            headers=headers or None,
            data=request.body or None,
            allow_redirects=False,
            timeout=_timeout(self._seconds(request)),
            ssl=self._tls_context() if proxy or _is_https(url) else True,
            proxy=proxy,
            proxy_headers={_PROXY_AUTHORIZATION: authorization} if authorization else None,
            **values,
        )

    def _new_single_session(self) -> aiohttp.ClientSession:
        session = self._new_session(reuses=False)
        if self._kept is not None:
            self._kept.limit_responses(session)
        return session

    def _doubt(self, doubted: list[str]) -> None:
        self.crawler.signals.send_catch_log(responses_doubted, urls=doubted)

    def _new_session(self, *, reuses: bool) -> aiohttp.ClientSession:
        local = local_address(self.crawler.settings)
        if self._resolver is None:
            self._resolver = GuardedResolver(self._policy)
        return new_session(self._resolver, self._headers, local, reuses=reuses)

    def _seconds(self, request: Request) -> float:
        seconds: float = request.meta.get("download_timeout", self._timeout)
        return seconds

    def _tls_context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = new_tls_context(self.crawler.settings)
        return self._tls

    def _new_response(
        self,
        request: Request,
        status: int,
        raw: RawHeaders,
        body: bytes,
        signals: DownloadSignals | None,
    ) -> ScrapyResponse:
        """Return a response of the class that its readers need; to find Scrapy's takes long.

        Raises StopDownload if a receiver of a signal did so.
        """
        if is_of_audit(request) and not self._shows_responses:
            return PlainResponse(request.url, status, body=body, request=request, raw_headers=raw)
        stopped = None if signals is None else signals.stopped
        flags = [] if stopped is None else ["download_stopped"]
        response, shown = shown_response(request, status, raw, body, flags)
        Exchange.of(request).shown = shown
        if stopped is not None and stopped.fail:
            stopped.response = response
            raise stopped
        return response

    @cached_property
    def _shows_responses(self) -> bool:
        return shows_responses(self.crawler)

    @property
    def _access(self) -> SiteAccess | None:
        return getattr(self.crawler.spider, "access", None)

    @property
    def _policy(self) -> AddressPolicy | None:
        access = self._access
        return None if access is None else access.addresses

    @property
    def _staging(self) -> StagingSite | None:
        access = self._access
        return None if access is None else access.staging

    def _check_address(self, url: str) -> None:
        """Refuse a private address in place of a host name: only names are resolved.

        A proxy of the project is not given it either.
        """
        authority = urls.authority(url)
        if authority not in self._checked:
            host, policy = urls.host(url), self._policy
            if policy is not None and policy.refuses(host, urls.port(url)):
                raise CannotResolveHostError(f"{host} must not be requested")
            if len(self._checked) == _MAX_CHECKED:
                self._checked.clear()
            self._checked.add(authority)


def _keep_connections(
    session: aiohttp.ClientSession, headers: dict[str, str], doubt: Callable[[list[str]], None]
) -> KeptConnections | None:
    """Send requests on open connections directly; None if aiohttp has other private parts."""
    misfit = aiohttp_misfit(session)
    if misfit is not None:
        # aiohttp would take bytes behind a response for the next response.
        logger.info("Requests take longer: private parts of aiohttp do not fit (%s)", misfit)
        return None
    from sitemapaudit.fetching.kept_connections import KeptConnections  # noqa: PLC0415 - as above

    return KeptConnections(session, headers, RESPONSE_LIMITS, MAX_HEAD_BYTES, doubt)


@lru_cache(maxsize=16)
def _timeout(seconds: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(seconds)


def _is_https(url: str) -> bool:
    return url.startswith("https:")


async def _read_body(
    response: aiohttp.ClientResponse | ResponseHead,
    download: BodyDownload,
    signals: DownloadSignals | None,
) -> bytes:
    """Return the body, or its wanted part."""
    get = response.headers.get
    length = get("Content-Length", "")
    skipped = download.start(get("Content-Type", ""), length)
    if signals is not None and signals.take_headers(response.raw_headers, length):
        download.truncated = True
        return b""
    if skipped:
        return b""
    content = response.content
    if content.is_eof():  # It arrived with the head, as most bodies of nearby servers do.
        body = content.read_nowait()
        download.add(body)
        if signals is not None and body:
            signals.take_bytes(body)
        return body
    chunks = []
    async for chunk in content.iter_any():
        chunks.append(chunk)
        if download.add(chunk):
            break
        if signals is not None and signals.take_bytes(chunk):
            download.truncated = True
            break
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)
