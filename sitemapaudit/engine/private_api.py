"""The private parts of Scrapy and PyDispatcher that every audit needs.

A test looks for everything in ``RELIED_ON``: a new version that lacks a part fails there, not in
the middle of an audit. ``make versions`` tries both bounds of requirements.txt. ``quick_scrapy``
and ``quick_aiohttp`` have what only saves time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pydispatch.dispatcher import connections, getReceivers, liveReceivers
from scrapy import Request, signals
from scrapy.utils.asyncio import call_later, create_looping_call
from scrapy.utils.ssl import _make_ssl_context
from twisted.python.failure import Failure

if TYPE_CHECKING:
    from ssl import SSLContext

    from scrapy.core.downloader import Downloader as ScrapyDownloader
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

__all__ = [
    "RELIED_ON",
    "close_when_idle",
    "create_looping_call",
    "has_receivers",
    "has_slots",
    "is_closing",
    "is_observed",
    "keep_open",
    "new_tls_context",
    "only_pipeline",
    "own_headers",
    "pause_slot",
    "report_error",
    "send_to_pipelines",
    "set_slot_delay",
    "shows_responses",
]

RELIED_ON: Final = {
    "scrapy.core.engine.ExecutionEngine": ("scraper", "downloader", "_slot"),
    "scrapy.core.engine._Slot": ("closing", "add_request", "remove_request"),
    "scrapy.core.scraper.Scraper": ("slot", "itemproc", "start_itemproc_async"),
    "scrapy.core.scraper.Slot": ("is_idle", "closing"),
    "scrapy.core.downloader.Downloader": (
        "slots",
        "middleware",
        "per_slot_settings",
        "_get_slot",
        "_latercall",
    ),
    "scrapy.core.downloader.Slot": ("delay", "concurrency", "jitter", "lastseen", "latercall"),
    "scrapy.core.downloader.middleware.DownloaderMiddlewareManager": ("methods",),
    "scrapy.http.Request": ("_headers",),
    "scrapy.commands.crawl.Command": ("_create_crawler",),
    "scrapy.utils.ssl": ("_make_ssl_context",),
    "pydispatch.dispatcher": ("connections", "getReceivers", "liveReceivers"),
}
"""The names that are used of each module and class."""

_OWN: Final = "sitemapaudit."
_EACH: Final = (
    signals.request_reached_downloader,
    signals.request_left_downloader,
    signals.response_downloaded,
    signals.response_received,
    signals.headers_received,
    signals.bytes_received,
)
"""Signals that are sent for each request or response."""

_OF_RESPONSES: Final = (
    signals.response_downloaded,
    signals.response_received,
    signals.headers_received,
    signals.bytes_received,
)
"""Signals that are sent with a response, or with a part of one."""

_CHECK_INTERVAL: Final = 0.1


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
    if not headers:
        return {}
    # Scrapy's methods encode each name again.
    lines = dict.items(headers)
    return {name.decode(): value.decode() for name, values in lines for value in values}


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
    """Return whether other code or a feed receives each item, request or response."""
    return only_pipeline(crawler) is None or any(
        _is_foreign(receiver, (_OWN,))
        for signal in _EACH
        for receiver in _receivers(crawler, signal)
    )


def has_receivers(crawler: Crawler, signal: Any) -> bool:
    """Return whether a receiver is connected to a signal of a crawler."""
    return signal in connections.get(id(crawler), ())


def report_error(crawler: Crawler, error: BaseException) -> None:
    """Send the signal of an error of a callback, which CLOSESPIDER_ERRORCOUNT counts."""
    if has_receivers(crawler, signals.spider_error):
        failure = Failure(error)  # type: ignore[no-untyped-call]
        crawler.signals.send_catch_log(
            signals.spider_error, failure=failure, response=None, spider=crawler.spider
        )


def shows_responses(crawler: Crawler) -> bool:
    """Return whether components that are neither ours nor Scrapy's see each response."""
    middleware = getattr(crawler.engine.downloader, "middleware", None)
    if middleware is None:  # What another downloader calls is unknown.
        return True
    methods = middleware.methods
    seeing: list[Any] = [*methods["process_response"], *methods["process_exception"]]
    for signal in _OF_RESPONSES:
        seeing += _receivers(crawler, signal)
    return any(_is_foreign(method, (_OWN, "scrapy.")) for method in seeing)


def _receivers(crawler: Crawler, signal: Any) -> list[Any]:
    if not has_receivers(crawler, signal):
        return []
    return list(liveReceivers(getReceivers(crawler, signal)))


def _is_foreign(method: Any, known: tuple[str, ...]) -> bool:
    return not str(method.__module__).startswith(known)


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


def has_slots(crawler: Crawler) -> bool:
    """Return whether the downloader has slots, which Crawl-delay and Retry-After slow down."""
    return hasattr(crawler.engine.downloader, "slots")


def _downloader(crawler: Crawler) -> ScrapyDownloader:
    engine: Any = crawler.engine
    downloader: ScrapyDownloader = engine.downloader
    return downloader


def set_slot_delay(crawler: Crawler, host: str, seconds: float) -> None:
    """Send requests to a host one by one, with a delay between them."""
    if not has_slots(crawler):
        return
    downloader = _downloader(crawler)
    # Scrapy creates new slots from these settings, and drops idle ones.
    known = downloader.per_slot_settings
    known[host] = known.get(host, {}) | {"delay": seconds, "concurrency": 1, "jitter": 0}
    slot = downloader.slots.get(host)
    if slot is not None:
        slot.delay, slot.concurrency, slot.jitter = seconds, 1, 0


def pause_slot(crawler: Crawler, request: Request, until: float, seconds: float) -> None:
    """Send nothing to the host of a request for some seconds.

    ``until`` is the end as a monotonic time. A slot with a scheduled call waits for that call.
    """
    if not has_slots(crawler):
        return
    downloader = _downloader(crawler)
    _, slot = downloader._get_slot(request)  # noqa: SLF001
    slot.lastseen = until
    if slot.latercall:
        slot.latercall.cancel()
    slot.latercall = call_later(seconds, downloader._latercall, slot)  # noqa: SLF001


def new_tls_context(settings: BaseSettings) -> SSLContext:
    """Return the context of TLS connections that Scrapy's settings describe."""
    return _make_ssl_context(settings)
