"""Download handlers of a project: which there are, and what an audit adds to them.

Our handler sends the identity, keeps the limits and checks addresses. With another one, a
middleware does what is possible.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Final, Self

from scrapy import signals
from scrapy.exceptions import CannotResolveHostError, NotConfigured, StopDownload
from scrapy.utils.misc import load_object
from scrapy.utils.python import global_object_name

from sitemapaudit import urls
from sitemapaudit.config import Config, ConfigError
from sitemapaudit.engine.audits import config_of
from sitemapaudit.engine.private_api import shows_responses
from sitemapaudit.fetching.body_download import BodyDownload
from sitemapaudit.fetching.exchange import Exchange, is_of_audit
from sitemapaudit.fetching.http_session import GuardedResolver
from sitemapaudit.fetching.shown_response import shown_response

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Headers
    from scrapy.http import Response as ScrapyResponse
    from scrapy.settings import BaseSettings

    from sitemapaudit.fetching.address_policy import AddressPolicy

HANDLERS: Final = "DOWNLOAD_HANDLERS"
BEHIND_BROWSER: Final = "DOWNLOAD_HANDLERS_BEHIND_BROWSER"
"""The setting that keeps the handlers that the browser replaces."""

_SCHEMES: Final = ("http", "https")
_OUR_HANDLER: Final = "sitemapaudit.fetching.http_handler.HttpHandler"

logger = logging.getLogger(__name__)


def handlers_of(settings: BaseSettings) -> dict[str, Any]:
    """Return the handler of each scheme that is requested over the network, by name or class."""
    known = settings.getdict(BEHIND_BROWSER) or settings.getwithbase(HANDLERS)
    return {scheme: known.get(scheme) for scheme in _SCHEMES}


def foreign_handlers(settings: BaseSettings) -> list[str]:
    """Return the names of the handlers that are not ours."""
    handlers = {scheme: each for scheme, each in handlers_of(settings).items() if each}
    names = {each if isinstance(each, str) else _name(each) for each in handlers.values()}
    return sorted(names - {_OUR_HANDLER})


def _name(handler: Any) -> str:
    return global_object_name(load_object(handler))


def check_handlers(config: Config, settings: BaseSettings) -> None:
    """Raise ConfigError if the audit needs our handler, and there is another one."""
    for name in ("folder", "staging"):
        if getattr(config.arguments, name) and (foreign := foreign_handlers(settings)):
            raise ConfigError(
                f"{name}: it needs the download handler of sitemapaudit, but {HANDLERS} names"
                f" {foreign[0]}."
            )


class ForeignHandlers:
    """Adds to the requests of other handlers what our handler does itself.

    These are the headers, the time limit, the limits of a body and a check of the addresses of a
    host before it is first requested. A handler that sends no signals gets the limits afterwards.
    """

    def __init__(self, crawler: Crawler, config: Config) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._timeout = config.timeout
        self._headers = {
            **settings.getdict("DEFAULT_REQUEST_HEADERS"),
            "User-Agent": settings["USER_AGENT"],
        }
        self._checked: dict[str, bool] = {}
        self._shows: bool | None = None
        crawler.signals.connect(self._take_headers, signals.headers_received)
        crawler.signals.connect(self._take_bytes, signals.bytes_received)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware. Raises NotConfigured without an audit or another handler."""
        config = config_of(crawler)
        names = foreign_handlers(crawler.settings)
        if not names:
            raise NotConfigured
        logger.warning(
            "%s fetches pages: addresses in private networks are refused when the name of a host"
            " is resolved first, but not when a connection is opened",
            " and ".join(names),
        )
        return cls(crawler, config)

    async def process_request(self, request: Request) -> None:
        """Add headers and limits. Raises CannotResolveHostError for a private address."""
        if not is_of_audit(request) or request.meta.get("playwright"):
            return
        for name, value in self._headers.items():
            if value is not None:
                request.headers.setdefault(name, value)
        request.meta.setdefault("download_timeout", self._timeout)
        exchange = Exchange.of(request)
        exchange.headers_at, exchange.download.received = None, 0
        await self._check_address(request)

    def process_response(self, request: Request, response: ScrapyResponse) -> ScrapyResponse:
        """Note when a response arrived, and keep its limits."""
        if not is_of_audit(request) or request.meta.get("playwright"):
            return response
        exchange = Exchange.of(request)
        exchange.headers_at = exchange.headers_at or time.monotonic()
        exchange.latency = request.meta.get("download_latency", 0.0)
        body = response.body
        if body and not exchange.download.received:
            body = _limited(exchange.download, response.headers, body)
        if self._shows is None:
            self._shows = shows_responses(self._crawler)
        if not self._shows:
            return response if body is response.body else response.replace(body=body)
        raw = tuple((name, value) for name, values in response.headers.items() for value in values)
        shown, exchange.shown = shown_response(
            request, response.status, raw, body, [*response.flags]
        )
        return shown

    async def _check_address(self, request: Request) -> None:
        authority = urls.authority(request.url)
        if authority not in self._checked:
            proxied = bool(request.meta.get("proxy"))
            self._checked[authority] = await self._is_allowed(request.url, proxied=proxied)
        if not self._checked[authority]:
            raise CannotResolveHostError(f"{authority} must not be requested")

    async def _is_allowed(self, url: str, *, proxied: bool) -> bool:
        policy: AddressPolicy = self._crawler.spider.access.addresses  # type: ignore[union-attr]
        host, port = urls.host(url), urls.port(url)
        if policy.refuses(host, port):
            return False
        if proxied:
            return True  # The proxy resolves names.
        try:
            await GuardedResolver(policy).resolve(host, port)
        except OSError:
            return False
        return True

    def _take_headers(self, headers: Headers, body_length: int, request: Request) -> None:
        exchange = Exchange.of(request)
        exchange.headers_at = time.monotonic()
        length = str(body_length) if body_length >= 0 else ""
        if is_of_audit(request) and exchange.download.start(_content_type(headers), length):
            raise StopDownload(fail=False)

    def _take_bytes(self, data: bytes, request: Request) -> None:
        if is_of_audit(request) and Exchange.of(request).download.add(data):
            raise StopDownload(fail=False)


def _content_type(headers: Headers) -> str:
    return (headers.get(b"Content-Type") or b"").decode("latin-1")


def _limited(download: BodyDownload, headers: Headers, body: bytes) -> bytes:
    """Return the part of a body that is wanted."""
    if download.start(_content_type(headers), str(len(body))):
        return b""
    download.add(body)
    return body[: download.limit]
