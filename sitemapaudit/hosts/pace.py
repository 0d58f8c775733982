"""Politeness that hosts ask for: ``Crawl-delay`` in robots.txt, and ``Retry-After``.

Both change the slot of the host in Scrapy's downloader. ``fetching.retries`` repeats the requests.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final

from sitemapaudit.engine.private_api import pause_slot, set_slot_delay
from sitemapaudit.engine.signals import fetching_finished
from sitemapaudit.fetching.refusals import TOO_MANY_REQUESTS, requested_wait, retry_after
from sitemapaudit.hosts.host import Host, HostTable
from sitemapaudit.runs import stats

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response as ScrapyResponse

_SLOWED_IN_FLIGHT: Final = 2
_QUEUED_PER_HOST: Final = 4


class Pace:
    """Respects the delays that hosts ask for, up to ``max_delay`` seconds; with 0, ignores them.

    All ``shards`` together keep to a delay: each of them waits that many times longer. A refused
    URL itself waits as long as requested. Its host rests in proportion: as long if it refuses half
    of the requests or more, and hardly if it refuses few.
    """

    def __init__(
        self, crawler: Crawler, hosts: HostTable, max_delay: float, shards: int = 1
    ) -> None:
        self._crawler = crawler
        self._hosts = hosts
        self._max_delay = max_delay
        self._shards = shards
        self._rested = 0.0
        crawler.signals.connect(self._end_rests, signal=fetching_finished)
        settings = crawler.settings
        self._default_in_flight = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        self._default_delay = settings.getfloat("DOWNLOAD_DELAY")
        self._has_rate = (
            self._default_delay > 0
            or settings.getbool("AUTOTHROTTLE_ENABLED")
            or bool(settings.getdict("DOWNLOAD_SLOTS"))
        )

    def set_crawl_delay(self, host: Host, delay: float | None) -> None:
        """Slow down to the ``Crawl-delay`` of a host, in seconds."""
        seconds = min(delay or 0.0, self._max_delay) * self._shards
        if seconds > max(host.crawl_delay, self._default_delay):
            host.crawl_delay = seconds
            set_slot_delay(self._crawler, host.name, seconds)

    def slows(self, host: Host) -> bool:
        """Return whether a host has a limited rate, or refused one of its last requests."""
        return self._has_rate or bool(host.crawl_delay or host.refusals.number)

    def max_in_flight(self, host: Host) -> int:
        """Return how many requests of a host may be in flight or queued."""
        if host.crawl_delay or host.refusals.rested_until > monotonic():
            return _SLOWED_IN_FLIGHT
        return self._default_in_flight + _QUEUED_PER_HOST

    def _host_of(self, request: Request) -> Host:
        return self._hosts.named(request.meta.get("download_slot", ""))

    def take_request(self, request: Request) -> None:
        """Keep AutoThrottle from changing a delay that the host asks for."""
        if self._host_of(request).crawl_delay:
            request.meta["autothrottle_dont_adjust_delay"] = True

    def take_response(self, response: ScrapyResponse, request: Request) -> None:
        """Let a host rest that refuses requests."""
        host = self._host_of(request)
        wait = self._requested_wait(response, host)
        host.refusals.add(refused=wait is not None)
        if wait is None:
            host.refusals.in_a_row = 0
            return
        self._crawler.stats.inc_value(stats.refused_stat(response.status))
        # In proportion to the share that it refuses.
        seconds = min(wait, self._max_delay) * min(1.0, 2 * host.refusals.share)
        now = monotonic()
        rested_until = max(now, host.refusals.rested_until)
        if rested_until < now + seconds:
            host.refusals.rested_until = until = now + seconds
            self._add_rest(until - rested_until)
            pause_slot(self._crawler, request, until, seconds)

    def _add_rest(self, seconds: float) -> None:
        self._rested += seconds
        self._crawler.stats.set_value(stats.RESTED, self._rested)

    def _end_rests(self) -> None:
        """Do not count the rests that nothing waited for."""
        now = monotonic()
        if unused := sum(max(0.0, host.refusals.rested_until - now) for host in self._hosts):
            self._add_rest(-unused)

    def _requested_wait(self, response: ScrapyResponse, host: Host) -> float | None:
        """Return the seconds that a response asks to wait; None if it is not a refusal."""
        refusals = host.refusals
        wait = requested_wait(response, refusals.in_a_row)
        if wait is not None and response.status == TOO_MANY_REQUESTS:
            if retry_after(response) is None and refusals.rested_until > monotonic():
                return 0.0  # It was in flight when another request was refused.
            refusals.in_a_row += retry_after(response) is None
        return wait
