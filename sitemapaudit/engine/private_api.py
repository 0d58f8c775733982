"""Everything that this project uses of Scrapy, PyDispatcher and aiohttp beyond their public API.

A test looks for everything in ``RELIED_ON``: a new version of a package that lacks a part fails
there, not in the middle of an audit. ``make versions`` tries both bounds of requirements.txt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from aiohttp import ClientConnectionResetError
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey
from pydispatch.dispatcher import connections, getReceivers, liveReceivers
from scrapy import Request, signals
from scrapy.core.downloader import Downloader as ScrapyDownloader
from scrapy.core.downloader import Slot
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.core.downloader.middleware import DownloaderMiddlewareManager
from scrapy.exceptions import _InvalidOutput
from scrapy.http import Response as ScrapyResponse
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.python import global_object_name
from scrapy.utils.ssl import _make_ssl_context

if TYPE_CHECKING:
    from ssl import SSLContext

    from aiohttp import ClientSession, StreamReader, TCPConnector
    from aiohttp.connector import Connection
    from aiohttp.http import RawResponseMessage
    from scrapy.core.downloader.handlers import DownloadHandlers
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

__all__ = [
    "MAX_HEAD_BYTES",
    "RELIED_ON",
    "HeadTooLargeError",
    "Middlewares",
    "ScrapyDownloader",
    "Slot",
    "call_later",
    "close_when_idle",
    "create_looping_call",
    "exchange_heads",
    "has_receivers",
    "is_closing",
    "is_observed",
    "keep_open",
    "limit_requests",
    "limit_response_heads",
    "new_tls_context",
    "only_pipeline",
    "own_headers",
    "pause_slot",
    "send",
    "send_once",
    "send_to_pipelines",
    "set_slot_delay",
    "shows_responses",
    "take_kept_connection",
    "watch_responses",
]

RELIED_ON: Final = {
    "scrapy.core.engine.ExecutionEngine": ("scraper", "downloader", "_slot"),
    "scrapy.core.engine._Slot": ("closing", "add_request", "remove_request"),
    "scrapy.core.scraper.Scraper": ("slot", "itemproc"),
    "scrapy.core.scraper.Slot": ("is_idle", "closing"),
    "scrapy.core.downloader.Downloader": (
        "slots",
        "active",
        "middleware",
        "handlers",
        "per_slot_settings",
        "_get_slot",
        "_latercall",
        "_process_queue",
        "_enqueue_request",
    ),
    "scrapy.core.downloader.handlers.DownloadHandlers": ("_handlers", "download_request_async"),
    "scrapy.core.downloader.middleware.DownloaderMiddlewareManager": (
        "methods",
        "_handle_mw_method",
        "_process_request",
        "_process_response",
    ),
    "scrapy.exceptions": ("_InvalidOutput",),
    "scrapy.http.Request": ("_headers",),
    "scrapy.utils.defer": ("ensure_awaitable",),
    "scrapy.utils.python": ("global_object_name",),
    "scrapy.core.downloader.Slot": (
        "delay",
        "concurrency",
        "jitter",
        "lastseen",
        "latercall",
        "active",
        "queue",
        "transferring",
        "free_transfer_slots",
        "download_delay",
    ),
    "scrapy.commands.crawl.Command": ("_create_crawler",),
    "pydispatch.dispatcher": ("connections", "getReceivers", "liveReceivers"),
    "scrapy.utils.ssl": ("_make_ssl_context",),
    "aiohttp.client.ClientSession": ("_retry_connection",),
    "aiohttp.connector.TCPConnector": ("_factory", "_get"),
    "aiohttp.client_reqrep": ("ConnectionKey",),
    "aiohttp.client_proto": ("ResponseHandler",),
    "aiohttp.client_proto.ResponseHandler": (
        "set_response_params",
        "read",
        "_payload",
        "transport",
    ),
}
"""The names that are used of each module and class."""

MAX_HEAD_BYTES: Final = 262_144
"""The limit for the head of a response, in bytes."""

_BYTES_PER_BYTE: Final = 8
"""Bytes that a server can send per byte of the body; a chunk of one byte needs six."""

_INTERIM: Final = frozenset(range(100, 200)) - {101}
"""Statuses of interim responses (RFC 9110 section 15.2); 101 ends HTTP."""

_OWN: Final = "sitemapaudit."
_EACH: Final = (
    signals.item_scraped,
    signals.request_reached_downloader,
    signals.request_left_downloader,
    signals.response_downloaded,
    signals.response_received,
    signals.headers_received,
    signals.bytes_received,
)
"""Signals that are sent for each item, request or response."""

_OF_RESPONSES: Final = (
    signals.response_downloaded,
    signals.response_received,
    signals.headers_received,
    signals.bytes_received,
)
"""Signals that are sent with a response, or with a part of one."""

_Method = Callable[..., Any]

_CHECK_INTERVAL: Final = 0.1


class HeadTooLargeError(ValueError):
    """The headers of a response exceed the limit."""


def is_closing(crawler: Crawler) -> bool:
    """Return whether a run is being closed, and requests are no longer sent."""
    engine: Any = crawler.engine
    slot = engine._slot  # noqa: SLF001
    return slot is None or slot.closing is not None


class keep_open:  # noqa: N801 - it is used like a function
    """Counts as a request in progress, so that the engine does not close the run before its end."""

    __slots__ = ("_slot",)

    def __init__(self, crawler: Crawler) -> None:
        engine: Any = crawler.engine
        self._slot: Any = engine._slot  # noqa: SLF001

    def __enter__(self) -> None:
        self._slot.add_request(self)

    def __exit__(self, *_: object) -> None:
        self._slot.remove_request(self)


def own_headers(request: Request) -> dict[str, str]:
    """Return the headers of a request, without giving it an empty collection if it has none."""
    headers: Any = request._headers  # noqa: SLF001
    return dict(headers.to_tuple_list()) if headers else {}


class Middlewares(DownloaderMiddlewareManager):
    """Calls the middlewares as Scrapy does, but awaits only awaitable results.

    Scrapy wraps every result in a coroutine; most middlewares return None.
    """

    async def _process_request(
        self,
        request: Request,
        download_func: Callable[[Request], Coroutine[Any, Any, ScrapyResponse]],
    ) -> ScrapyResponse | Request:
        for method in self.methods["process_request"]:
            result = self._handle_mw_method(cast("_Method", method), request=request)
            if result is not None:
                finished = await _finished(result, method)
                if finished is not None:
                    return finished
        return await download_func(request)

    async def _process_response(
        self, response: ScrapyResponse | Request, request: Request
    ) -> ScrapyResponse | Request:
        for method in self.methods["process_response"]:
            if not isinstance(response, ScrapyResponse):
                break
            result = self._handle_mw_method(
                cast("_Method", method), request=request, response=response
            )
            if result is not response:
                finished = await _finished(result, method)
                if finished is None:
                    raise _InvalidOutput(f"Middleware {global_object_name(method)} returned None")
                response = finished
        return response


async def _finished(result: Any, method: Any) -> ScrapyResponse | Request | None:
    """Return the result of a middleware, awaited if necessary. Raises _InvalidOutput."""
    name = global_object_name(method)
    finished = await ensure_awaitable(result, _warn=name)
    if finished is None or isinstance(finished, ScrapyResponse | Request):
        return finished
    raise _InvalidOutput(f"Middleware {name} returned {type(finished)}")


async def send(handlers: DownloadHandlers, request: Request) -> ScrapyResponse:
    """Return the response of the handler of a request.

    To find that handler, Scrapy parses the whole URL.
    """
    handler: Any = handlers._handlers.get(request.url.partition(":")[0])  # noqa: SLF001
    if isinstance(handler, BaseDownloadHandler):
        response: ScrapyResponse = await handler.download_request(request)
        return response
    return await handlers.download_request_async(request)


def only_pipeline(crawler: Crawler) -> Callable[[Any], Any] | None:
    """Return the method of the pipeline of the audit if nothing else sees items; None otherwise."""
    engine: Any = crawler.engine
    methods = engine.scraper.itemproc.methods["process_item"]
    if len(methods) == 1 and not has_receivers(crawler, signals.item_scraped):
        process: Callable[[Any], Any] = methods[0]
        if type(process.__self__).__module__.startswith(_OWN):  # type: ignore[attr-defined]
            return process
    return None


async def send_to_pipelines(crawler: Crawler, item: Any) -> None:
    """Pass an item through the pipelines, and send the signals of it."""
    engine: Any = crawler.engine
    await engine.scraper.start_itemproc_async(item, response=None)


def is_observed(crawler: Crawler) -> bool:
    """Return whether other code receives each item, request or response."""
    engine: Any = crawler.engine
    methods = engine.scraper.itemproc.methods["process_item"]
    return len(methods) > 1 or any(has_receivers(crawler, signal) for signal in _EACH)


def has_receivers(crawler: Crawler, signal: Any) -> bool:
    """Return whether a receiver is connected to a signal of a crawler."""
    return signal in connections.get(id(crawler), ())


def shows_responses(crawler: Crawler) -> bool:
    """Return whether components that are neither ours nor Scrapy's see each response."""
    methods = _downloader(crawler).middleware.methods
    seeing: list[Any] = [*methods["process_response"], *methods["process_exception"]]
    for signal in _OF_RESPONSES:
        seeing += liveReceivers(getReceivers(crawler, signal))
    return not all(str(method.__module__).startswith((_OWN, "scrapy.")) for method in seeing)


def close_when_idle(crawler: Crawler) -> None:
    """Let a run end if it is closed while an item of ``start()`` is processed.

    Scrapy waits until its scraper is idle. It checks that after a response, but not after an item
    of ``start()``: without another response the run would never end.
    """

    def close_if_idle() -> None:
        engine: Any = crawler.engine
        slot = engine.scraper.slot
        if slot is not None and slot.closing and not slot.closing.called and slot.is_idle():
            slot.closing.callback(crawler.spider)

    checks: list[Any] = []

    def spider_opened() -> None:
        # Before, there need not be an event loop.
        checks.append(create_looping_call(close_if_idle))
        checks[0].start(_CHECK_INTERVAL, now=False)

    def spider_closed() -> None:
        for check in checks:
            check.stop()

    # A weak connection would be dropped: nothing else refers to these functions.
    crawler.signals.connect(spider_opened, signals.spider_opened, weak=False)
    crawler.signals.connect(spider_closed, signals.spider_closed, weak=False)


def _downloader(crawler: Crawler) -> ScrapyDownloader:
    engine: Any = crawler.engine
    downloader: ScrapyDownloader = engine.downloader
    return downloader


def set_slot_delay(crawler: Crawler, host: str, seconds: float) -> None:
    """Send requests to a host one by one, with a delay between them."""
    downloader = _downloader(crawler)
    # Scrapy creates new slots from these settings, and drops idle ones.
    known = downloader.per_slot_settings
    known[host] = known.get(host, {}) | {"delay": seconds, "concurrency": 1, "jitter": 0}
    slot = downloader.slots.get(host)
    if slot is not None:
        slot.delay, slot.concurrency, slot.jitter = seconds, 1, 0


def watch_responses(
    crawler: Crawler,
    on_request: Callable[[Request], None],
    on_response: Callable[[ScrapyResponse, Request], None],
) -> None:
    """Call these functions for each request and each response, before more requests are sent.

    Two signals would take as long as reading the head of a response.
    """
    downloader: Any = _downloader(crawler)
    downloader.on_request, downloader.on_response = on_request, on_response


def limit_requests(crawler: Crawler, limit: int) -> None:
    """Change how many requests of this process may be in flight; those that are stay."""
    downloader: Any = _downloader(crawler)
    downloader.limit = limit


def find_slot(crawler: Crawler, host: str) -> Slot | None:
    """Return the downloader's slot of a host; None if there is none."""
    return _downloader(crawler).slots.get(host)


def pause_slot(crawler: Crawler, slot: Slot, until: float, seconds: float) -> None:
    """Send nothing to a host for some seconds; ``until`` is the end as a monotonic time.

    A slot with a scheduled call waits for that call.
    """
    slot.lastseen = until
    if slot.latercall:
        slot.latercall.cancel()
    slot.latercall = call_later(seconds, _downloader(crawler)._latercall, slot)  # noqa: SLF001


def new_tls_context(settings: BaseSettings) -> SSLContext:
    """Return the context of TLS connections that Scrapy's settings describe."""
    return _make_ssl_context(settings)


def send_once(session: ClientSession) -> None:
    """Let aiohttp send each request once: Scrapy repeats requests, and counts that."""
    session._retry_connection = False  # noqa: SLF001


async def take_kept_connection(
    session: ClientSession, host: str, port: int, tls: SSLContext | None
) -> Connection | None:
    """Return an idle connection without a proxy; None if there is none.

    The caller must release or close it.
    """
    connector: Any = session.connector
    key = ConnectionKey(host, port, tls is not None, tls or True, None, None, None, None)
    connection: Connection | None = await connector._get(key, [])  # noqa: SLF001
    return connection


async def exchange_heads(
    connection: Connection, head: bytes, **params: Any
) -> tuple[RawResponseMessage, StreamReader]:
    """Send the head of a request; return the head of its response, and the stream of its body."""
    protocol = connection.protocol
    if protocol is None or protocol.transport is None or protocol.transport.is_closing():
        raise ClientConnectionResetError("Cannot write to closing transport")
    protocol.set_response_params(read_until_eof=True, auto_decompress=False, **params)
    protocol.transport.write(head)
    while True:
        message, content = await protocol.read()
        if message.code not in _INTERIM:
            return message, content


def limit_response_heads(connector: TCPConnector) -> None:
    """Close connections whose response has more than ``MAX_HEAD_BYTES`` before its body."""
    loop = asyncio.get_running_loop()
    factory: partial[Any] = partial(_Connection, loop)
    connector._factory = factory  # noqa: SLF001


class _Connection(ResponseHandler):
    """A connection that limits the bytes outside the body: heads and chunk sizes.

    It also ends an invalid body. aiohttp closes the connection then, but does not inform the reader
    of the body, which would wait until the request times out.
    """

    _received = 0

    def set_response_params(self, **params: Any) -> None:
        """Prepare for the next response."""
        self._received, self._payload = 0, None
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Receive data; fail if too much of it is outside the body."""
        super().data_received(data)
        self._received += len(data)
        error = self.exception()
        if error is not None and self._payload is not None:
            self._payload.set_exception(error)
        body = self._payload.total_bytes if self._payload else 0
        if self._received - _BYTES_PER_BYTE * body > MAX_HEAD_BYTES and self.transport is not None:
            self.set_exception(HeadTooLargeError(f"more than {MAX_HEAD_BYTES:,} bytes"))
            self.transport.abort()
