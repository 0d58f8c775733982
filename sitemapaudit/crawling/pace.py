"""When a host may be asked again, as far as the host itself has a say in it.

It has by ``Crawl-delay`` in its robots.txt, and by 429 and 503 with ``Retry-After``. Both hold in
the slot that Scrapy's downloader has for each host; asking again is Scrapy's own affair.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from scrapy import Request, signals
from scrapy.utils.asyncio import call_later

from sitemapaudit import urls
from sitemapaudit.answer import http_date

if TYPE_CHECKING:
    from scrapy.core.downloader import Downloader, Slot
    from scrapy.crawler import Crawler
    from scrapy.http import Response

REFUSED: Final = 429
UNAVAILABLE: Final = 503

_MOST_DOUBLINGS: Final = 16
_AT_ONCE: Final = 2
_IN_RESERVE: Final = 4


class Pace:
    """Keeps to what hosts ask for, up to ``max_wait`` seconds between two requests; 0: to nothing.

    A delay is kept to by all ``workers`` together: each asks so many times more seldom.
    A 429 without ``Retry-After`` rests its host for a second, and twice as long with each that
    follows; a 503 without it may be the fault of a page, and rests nobody.
    """

    def __init__(self, crawler: Crawler, max_wait: float, workers: int = 1) -> None:
        self._crawler = crawler
        self._max_wait = max_wait
        self._workers = workers
        self._delays: dict[str, float] = {}
        self._refusals: Counter[str] = Counter()
        self._rests: dict[str, float] = {}
        self._usual = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        self._least = crawler.settings.getfloat("DOWNLOAD_DELAY")
        if max_wait:
            crawler.signals.connect(self._on_request, signals.request_reached_downloader)
            crawler.signals.connect(self._on_response, signals.response_downloaded)

    def keep_to(self, origin: str, delay: float | None) -> None:
        """Ask a host no more often than its robots.txt wants it."""
        host = urls.host(origin)
        seconds = min(delay or 0.0, self._max_wait) * self._workers
        if seconds <= max(self._delays.get(host, 0.0), self._least):
            return
        self._delays[host] = seconds
        # New slots are made by these, and idle ones are forgotten.
        known = self._downloader.per_slot_settings
        known[host] = known.get(host, {}) | {"delay": seconds, "concurrency": 1, "jitter": 0}
        slot = self._downloader.slots.get(host)
        if slot is not None:
            slot.delay, slot.concurrency, slot.jitter = seconds, 1, 0

    def most(self, host: str) -> int:
        """Return how many requests of a host are worth to be under way, or to wait for it."""
        if host in self._delays or self._rests.get(host, 0) > monotonic():
            return _AT_ONCE
        return self._usual + _IN_RESERVE

    def _on_request(self, request: Request) -> None:
        if request.meta.get("download_slot") in self._delays:
            request.meta["autothrottle_dont_adjust_delay"] = True

    def _on_response(self, response: Response, request: Request) -> None:
        host = request.meta.get("download_slot", "")
        slot = self._downloader.slots.get(host)
        if slot is None:
            return
        wait = self._wait(response, host)
        if wait is None:
            self._refusals.pop(host, None)
        elif self._rests.get(host, 0) < monotonic() + wait:
            self._rest(slot, host, min(wait, self._max_wait))

    def _wait(self, response: Response, host: str) -> float | None:
        """Return the seconds that an answer asks for; None if it is no refusal."""
        if response.status not in (REFUSED, UNAVAILABLE):
            return None
        stated = retry_after(response)
        if stated is not None or response.status == UNAVAILABLE:
            return stated
        if self._rests.get(host, 0) > monotonic():
            return 0.0  # It was under way when another was refused.
        self._refusals[host] += 1
        return 2.0 ** min(self._refusals[host] - 1, _MOST_DOUBLINGS)

    def _rest(self, slot: Slot, host: str, seconds: float) -> None:
        """Ask a host for nothing; a slot with a call to come waits for that call."""
        self._rests[host] = slot.lastseen = monotonic() + seconds
        if slot.latercall:
            slot.latercall.cancel()
        slot.latercall = call_later(seconds, self._downloader._latercall, slot)  # noqa: SLF001

    @property
    def _downloader(self) -> Downloader:
        engine: Any = self._crawler.engine
        downloader: Downloader = engine.downloader
        return downloader


def retry_after(response: Response) -> float | None:
    """Return the seconds of ``Retry-After`` (RFC 9110 section 10.2.3); None if it says nothing."""
    value = (response.headers.get(b"Retry-After") or b"").decode("latin-1").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    moment = http_date(value) if value else None
    return None if moment is None else max(0.0, (moment - datetime.now(UTC)).total_seconds())
