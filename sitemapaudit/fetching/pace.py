"""How often a host is requested, as far as the host itself decides it.

A host can set ``Crawl-delay`` in its robots.txt, and return 429 or 503 with ``Retry-After``. Both
act on the slot that Scrapy's downloader has per host. ``retries`` repeats the requests.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Final

from sitemapaudit import urls
from sitemapaudit.engine import stats
from sitemapaudit.engine.private_api import find_slot, rest_slot, set_slot_delay, watch_responses
from sitemapaudit.http.dates import parse_http_date

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

TOO_MANY_REQUESTS: Final = 429
UNAVAILABLE: Final = 503

_MAX_DOUBLINGS: Final = 16
_SLOWED_IN_FLIGHT: Final = 2
_QUEUED_PER_HOST: Final = 4
_REMEMBERED: Final = 50
"""Responses of a host of which the refused share is known."""


class RefusedError(Exception):
    """A response asks to wait; the process that sends all requests of its host must know it."""

    def __init__(self, response: Response, request: Request) -> None:
        super().__init__(response.status)
        self.response, self.request = response, request


def hand_over_refusals(crawler: Crawler) -> None:
    """Raise RefusedError for each response that asks to wait."""

    def on_request(request: Request) -> None:
        pass

    def on_response(response: Response, request: Request) -> None:
        if requested_wait(response, 0) is not None:
            raise RefusedError(response, request)

    watch_responses(crawler, on_request, on_response)


class _Refused:
    """Which of the last responses of a host asked to wait."""

    __slots__ = ("_number", "_remembered")

    def __init__(self) -> None:
        self._remembered: deque[bool] = deque(maxlen=_REMEMBERED)
        self._number = 0

    @property
    def any(self) -> bool:
        """Whether any of them did."""
        return self._number > 0

    @property
    def share(self) -> float:
        """The share of those that did; there must be responses."""
        return self._number / len(self._remembered)

    def add(self, *, refused: bool) -> None:
        """Remember a response, and forget the one that is too long ago."""
        if len(self._remembered) == _REMEMBERED:
            self._number -= self._remembered[0]
        self._remembered.append(refused)
        self._number += refused


class Pace:
    """Respects the delays that hosts ask for, up to ``max_delay`` seconds; with 0, ignores them.

    All ``workers`` together keep to a delay: each of them waits that many times longer. A refused
    URL alone waits as long as it is told. Its host rests in proportion: as long if it refuses half
    of the requests or more, and hardly if it refuses few. A 429 without ``Retry-After`` asks for
    one second, and for twice as long after each further 429. A 503 without it asks for nothing.
    """

    def __init__(self, crawler: Crawler, max_delay: float, workers: int = 1) -> None:
        self._crawler = crawler
        self._max_delay = max_delay
        self._workers = workers
        self._delays: dict[str, float] = {}
        self._refusals: Counter[str] = Counter()
        self._refused: defaultdict[str, _Refused] = defaultdict(_Refused)
        self._paused_until: dict[str, float] = {}
        self._rested = 0.0
        self._default_in_flight = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        self._default_delay = crawler.settings.getfloat("DOWNLOAD_DELAY")
        self._has_rate = (
            self._default_delay > 0
            or crawler.settings.getbool("AUTOTHROTTLE_ENABLED")
            or bool(crawler.settings.getdict("DOWNLOAD_SLOTS"))
        )
        if max_delay:
            watch_responses(crawler, self._on_request, self._on_response)

    def set_crawl_delay(self, origin: str, delay: float | None) -> None:
        """Slow down to the ``Crawl-delay`` of a host, in seconds."""
        host = urls.host(origin)
        seconds = min(delay or 0.0, self._max_delay) * self._workers
        if seconds > max(self._delays.get(host, 0.0), self._default_delay):
            self._delays[host] = seconds
            set_slot_delay(self._crawler, host, seconds)

    def slows(self, host: str) -> bool:
        """Return whether a host is requested no faster than at some rate, or refused lately."""
        if self._has_rate or host in self._delays:
            return True
        return host in self._refused and self._refused[host].any

    def max_in_flight(self, host: str) -> int:
        """Return how many requests of a host are worth having in flight or queued."""
        if host in self._delays or self._is_paused(host):
            return _SLOWED_IN_FLIGHT
        return self._default_in_flight + _QUEUED_PER_HOST

    def _is_paused(self, host: str) -> bool:
        return self._paused_until.get(host, 0) > monotonic()

    def _on_request(self, request: Request) -> None:
        if request.meta.get("download_slot") in self._delays:
            request.meta["autothrottle_dont_adjust_delay"] = True

    def _on_response(self, response: Response, request: Request) -> None:
        host = request.meta.get("download_slot", "")
        pause = self._requested_pause(response, host)
        self._refused[host].add(refused=pause is not None)
        if pause is None:
            self._refusals.pop(host, None)
            return
        slot = find_slot(self._crawler, host)
        if slot is None:
            return
        self._crawler.stats.inc_value(stats.refused_stat(response.status))
        seconds = min(pause, self._max_delay) * self._proportion(host)
        now = monotonic()
        rested_until = max(now, self._paused_until.get(host, 0))
        if rested_until < now + seconds:
            self._paused_until[host] = until = now + seconds
            self._rested += until - rested_until
            self._crawler.stats.set_value(stats.RESTED, self._rested)
            rest_slot(self._crawler, slot, until, seconds)

    def _proportion(self, host: str) -> float:
        """Return the part of a requested pause that a host rests, by the share it refuses."""
        return min(1.0, 2 * self._refused[host].share)

    def _requested_pause(self, response: Response, host: str) -> float | None:
        """Return the seconds of pause that a response asks for; None if it refuses nothing."""
        pause = requested_wait(response, self._refusals[host])
        if pause is not None and response.status == TOO_MANY_REQUESTS:
            if retry_after(response) is None and self._is_paused(host):
                return 0.0  # It was in flight when another request was refused.
            self._refusals[host] += retry_after(response) is None
        return pause


def requested_wait(response: Response, refused_before: int) -> float | None:
    """Return the seconds that a response asks to wait; None if it refuses nothing."""
    if response.status not in (TOO_MANY_REQUESTS, UNAVAILABLE):
        return None
    stated = retry_after(response)
    if stated is not None or response.status == UNAVAILABLE:
        return stated
    return 2.0 ** min(refused_before, _MAX_DOUBLINGS)


def retry_after(response: Response) -> float | None:
    """Return the seconds of ``Retry-After`` (RFC 9110 section 10.2.3); None if it is unusable."""
    value = (response.headers.get(b"Retry-After") or b"").decode("latin-1").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    moment = parse_http_date(value) if value else None
    return None if moment is None else max(0.0, (moment - datetime.now(UTC)).total_seconds())
