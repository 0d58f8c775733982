"""The two ways of a request: through the downloader of the audit, or through Scrapy's engine."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import Counter, deque
from typing import TYPE_CHECKING, Any, Final, Protocol

from scrapy.settings import default_settings

from sitemapaudit.engine.private_api import has_slots
from sitemapaudit.engine.request_limit import RequestLimit

if TYPE_CHECKING:
    from aiohttp import ClientSession
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response as ScrapyResponse
    from scrapy.settings import BaseSettings

_SETTING: Final = "DOWNLOADER"
_STATE: Final = "requests"
_OURS: Final = "sitemapaudit.engine.downloader"

logger = logging.getLogger(__name__)


class Requests(Protocol):
    """Sends requests, as many at a time as ``limit`` allows."""

    limit: RequestLimit

    async def download(self, request: Request) -> ScrapyResponse | Request:
        """Return the response, or the request with which a middleware repeats this one."""


class EngineRequests:
    """Sends requests through ``engine.download_async``.

    That does not limit their number. Scrapy's downloader limits those of a host, but starts
    whatever waits in a slot before it counts it.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.limit = RequestLimit(settings.getint("CONCURRENT_REQUESTS") or sys.maxsize)
        self._limit_of_host = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") or sys.maxsize
        self._crawler = crawler
        self._of_hosts: Counter[str] = Counter()
        self._waiting: deque[tuple[str, asyncio.Future[None]]] = deque()

    async def download(self, request: Request) -> ScrapyResponse | Request:
        """Return the response, after all repetitions."""
        host = request.meta["download_slot"]
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((host, turn))
        self._start()
        try:
            await turn
            response = await self._crawler.engine.download_async(request)
            self._crawler.stats.inc_value("response_received_count")
            return response
        finally:
            if turn.done() and not turn.cancelled():
                self._of_hosts[host] -= 1
                self.limit.leave()
            self._start()

    def _start(self) -> None:
        """Let requests begin for which there is room, those that have waited longer first."""
        for _ in range(len(self._waiting)):
            host, turn = self._waiting.popleft()
            if turn.cancelled():
                continue
            if self._has_room(host):
                self._of_hosts[host] += 1
                self.limit.enter()
                turn.set_result(None)
            else:
                self._waiting.append((host, turn))

    def _has_room(self, host: str) -> bool:
        return not self.limit.is_reached and self._of_hosts[host] < self._limit_of_host


def choose_downloader(settings: BaseSettings) -> None:
    """Use Scrapy's downloader where its private parts are not those that ours needs."""
    misfit = scrapy_misfit()
    if misfit is not None:
        settings.set(_SETTING, default_settings.DOWNLOADER, "addon")
        logger.info("Private parts of Scrapy do not fit: %s", misfit)


def requests_of(crawler: Crawler) -> Requests:
    """Return what sends the requests of a crawl: the same for all of its parts."""
    # Kept where it ends with the crawl, to which it refers.
    state = vars(crawler.spider)
    known: Requests | None = state.get(_STATE)
    if known is None:
        downloader: Any = crawler.engine.downloader
        known = downloader
        if type(downloader).__module__ != _OURS:
            logger.info(
                "Requests pass through Scrapy's engine, which takes longer: DOWNLOADER is %s",
                type(downloader).__name__,
            )
            if not has_slots(crawler):
                logger.warning(
                    "%s has no slots: Crawl-delay and Retry-After of a host do not slow it down",
                    type(downloader).__name__,
                )
            known = EngineRequests(crawler)
        state[_STATE] = known
    return known


def scrapy_misfit() -> str | None:
    """Return what does not fit of the private parts of Scrapy; None if all fit."""
    try:
        from sitemapaudit.engine import quick_scrapy  # noqa: PLC0415 - it may fail

        quick_scrapy.try_parts()
    except Exception as error:  # noqa: BLE001 - whatever a part raises
        return f"{type(error).__name__}: {error}"
    return None


def aiohttp_misfit(session: ClientSession) -> str | None:
    """Return what does not fit of the private parts of aiohttp; None if all fit."""
    try:
        from sitemapaudit.engine import quick_aiohttp  # noqa: PLC0415 - it may fail

        quick_aiohttp.try_parts(session)
    except Exception as error:  # noqa: BLE001 - whatever a part raises
        return f"{type(error).__name__}: {error}"
    return None
