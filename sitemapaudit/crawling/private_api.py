"""Everything that this project uses of Scrapy and Twisted beyond their public API.

``RELIED_ON`` names each part, and a test looks for all of them: a new version of either package
that lacks one fails there, and not in the middle of an audit.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    TunnelError,
    _LenientHTTP11ClientProtocol,
)
from scrapy.utils.asyncio import call_later, create_looping_call
from twisted.python.failure import Failure
from twisted.web._newclient import HEADER, STATUS
from twisted.web.client import _HTTP11ClientFactory
from twisted.web.http import _MalformedChunkedDataError

if TYPE_CHECKING:
    from scrapy.core.downloader import Downloader, Slot
    from scrapy.crawler import Crawler

__all__ = [
    "MAX_HEAD_BYTES",
    "RELIED_ON",
    "HeadTooLargeError",
    "MalformedChunkError",
    "TunnelError",
    "close_when_idle",
    "is_closing",
    "limit_response_heads",
    "rest_slot",
    "scraper_is_idle",
    "send_once",
    "set_slot_delay",
    "wait_for_items",
]

RELIED_ON: Final = {
    "scrapy.core.engine.ExecutionEngine": ("scraper", "downloader", "_slot"),
    "scrapy.core.engine._Slot": ("closing",),
    "scrapy.core.scraper.Scraper": ("slot",),
    "scrapy.core.scraper.Slot": ("is_idle", "closing"),
    "scrapy.core.downloader.Downloader": ("slots", "per_slot_settings", "_latercall"),
    "scrapy.core.downloader.Slot": ("delay", "concurrency", "jitter", "lastseen", "latercall"),
    "scrapy.core.downloader.handlers.http11": ("TunnelError", "_LenientHTTP11ClientProtocol"),
    "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler": ("_pool",),
    "scrapy.commands.crawl.Command": ("_create_crawler",),
    "twisted.web.client.HTTPConnectionPool": ("_factory", "retryAutomatically"),
    "twisted.web.client": ("_HTTP11ClientFactory",),
    "twisted.web.client._HTTP11ClientFactory": ("_quiescentCallback",),
    "twisted.web._newclient": ("STATUS", "HEADER"),
    "twisted.web._newclient.HTTP11ClientProtocol": ("_giveUp", "_parser"),
    "twisted.web._newclient.HTTPParser": ("state",),
    "twisted.web.http": ("_MalformedChunkedDataError",),
}
"""Modules and classes, each with the names that are used of it."""

MalformedChunkError: Final = _MalformedChunkedDataError

MAX_HEAD_BYTES: Final = 262_144
"""Bytes that a response can have before its body."""

_CHECK_INTERVAL: Final = 0.1
_ITEM_POLLS: Final = 50


class HeadTooLargeError(ValueError):
    """The headers of a response exceed the limit."""


def scraper_is_idle(crawler: Crawler) -> bool:
    """Return whether every item and response was processed; Scrapy has no signal for it."""
    engine: Any = crawler.engine
    slot = engine.scraper.slot
    return slot is None or slot.is_idle()


def is_closing(crawler: Crawler) -> bool:
    """Return whether a run is being closed, and sends no further request."""
    engine: Any = crawler.engine
    slot = engine._slot  # noqa: SLF001
    return slot is None or slot.closing is not None


async def wait_for_items(crawler: Crawler) -> None:
    """Wait until the last items of ``start()`` are processed, or for a second.

    After ``start()`` and after each response, Scrapy checks whether the run has ended. If an item
    is still in a pipeline and there is no other response, the next check is five seconds later.
    """
    for _ in range(_ITEM_POLLS):
        if scraper_is_idle(crawler):
            return
        await asyncio.sleep(1 / _ITEM_POLLS)


def close_when_idle(crawler: Crawler) -> None:
    """Let a run end that is closed while an item of ``start()`` is processed.

    Scrapy waits until its scraper is idle, and checks that after each response. After an item of
    ``start()`` it does not check: without another response the run would never end.
    """

    def close_if_idle() -> None:
        engine: Any = crawler.engine
        slot = engine.scraper.slot
        if slot is not None and slot.closing and not slot.closing.called and slot.is_idle():
            slot.closing.callback(crawler.spider)

    checks = create_looping_call(close_if_idle)

    def spider_opened() -> None:
        checks.start(_CHECK_INTERVAL, now=False)

    def spider_closed() -> None:
        checks.stop()

    # A weak connection would be dropped: nothing else holds these functions.
    crawler.signals.connect(spider_opened, signals.spider_opened, weak=False)
    crawler.signals.connect(spider_closed, signals.spider_closed, weak=False)


def _downloader(crawler: Crawler) -> Downloader:
    engine: Any = crawler.engine
    downloader: Downloader = engine.downloader
    return downloader


def set_slot_delay(crawler: Crawler, host: str, seconds: float) -> None:
    """Send requests to a host one by one, with a delay in between."""
    downloader = _downloader(crawler)
    # Scrapy makes new slots from these settings, and forgets idle ones.
    known = downloader.per_slot_settings
    known[host] = known.get(host, {}) | {"delay": seconds, "concurrency": 1, "jitter": 0}
    slot = downloader.slots.get(host)
    if slot is not None:
        slot.delay, slot.concurrency, slot.jitter = seconds, 1, 0


def find_slot(crawler: Crawler, host: str) -> Slot | None:
    """Return the downloader's slot of a host, if there is one."""
    return _downloader(crawler).slots.get(host)


def rest_slot(crawler: Crawler, slot: Slot, until: float, seconds: float) -> None:
    """Send nothing to a host for some seconds, ``until`` a monotonic time.

    A slot with a scheduled call waits for that call.
    """
    slot.lastseen = until
    if slot.latercall:
        slot.latercall.cancel()
    slot.latercall = call_later(seconds, _downloader(crawler)._latercall, slot)  # noqa: SLF001


def limit_response_heads(handler: HTTP11DownloadHandler) -> None:
    """Close connections whose response has more than ``MAX_HEAD_BYTES`` before its body."""
    handler._pool._factory = _Factory  # noqa: SLF001 - Scrapy sets its own there too


def send_once(handler: HTTP11DownloadHandler) -> None:
    """Do not send a request again by itself: Scrapy does that, and counts it."""
    handler._pool.retryAutomatically = False  # noqa: SLF001


class _Protocol(_LenientHTTP11ClientProtocol):
    """A connection that counts the bytes before a body."""

    _head_bytes = 0

    def request(self, request: Any) -> Any:
        """Send a request and reset the count."""
        self._head_bytes = 0
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Receive data, unless the head is too large."""
        if self._parser is not None and self._parser.state in (STATUS, HEADER):
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                error = HeadTooLargeError(f"more than {MAX_HEAD_BYTES:,} bytes")
                self._giveUp(Failure(error))  # type: ignore[no-untyped-call]
                return
        super().dataReceived(data)  # type: ignore[no-untyped-call]


class _Factory(_HTTP11ClientFactory):
    noisy = False

    def buildProtocol(self, _: Any) -> _Protocol:  # noqa: N802 - Twisted's name
        return _Protocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
