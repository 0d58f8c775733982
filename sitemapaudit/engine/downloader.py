"""Scrapy's downloader with a coroutine, and without signals that have no receiver."""

import asyncio
import logging
import sys
from time import monotonic
from typing import Any, cast

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response as ScrapyResponse
from scrapy.utils.asyncio import call_later

from sitemapaudit.engine.private_api import has_receivers
from sitemapaudit.engine.quick_scrapy import Middlewares, ScrapyDownloader, Slot, send
from sitemapaudit.engine.request_limit import RequestLimit

logger = logging.getLogger("scrapy.core.engine")


class Downloader(ScrapyDownloader):
    """Passes requests through the middlewares to the handler when the slot of their host is free.

    Scrapy's downloader makes two Deferreds and two tasks per request, and sends three signals:
    that takes longer than the download. Besides, it starts whatever waits in a slot before it
    counts it, and so exceeds CONCURRENT_REQUESTS_PER_DOMAIN. CONCURRENT_REQUESTS is kept by its
    engine, which the requests of an audit do not pass.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.limit = RequestLimit(self.total_concurrency or sys.maxsize)
        self._held: dict[Slot, None] = {}
        """The slots with requests that wait for the limit, in order."""
        self.middleware = Middlewares(*self.middleware.middlewares, crawler=crawler)

    async def download(self, request: Request) -> ScrapyResponse | Request:
        """Return the response for a request, or the request with which a middleware repeats it."""
        self.active.add(request)
        try:
            result = await self.middleware.download_async(self._enqueue_request, request)
        finally:
            self.active.remove(request)
        if isinstance(result, ScrapyResponse):
            self._received(result, request)
        return result

    def _received(self, response: ScrapyResponse, request: Request) -> None:
        """Log a complete response as Scrapy's engine does."""
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug("Crawled (%d) %s", response.status, request)
        self.crawler.stats.inc_value("response_received_count")
        self._announce(signals.response_received, response=response, request=request)

    async def _enqueue_request(self, request: Request) -> ScrapyResponse:
        request.meta[self.DOWNLOAD_SLOT], slot = self._get_slot(request)
        slot.active.add(request)
        self._announce(signals.request_reached_downloader, request=request)
        turn: Any = asyncio.get_running_loop().create_future()
        slot.queue.append((request, turn))
        self._process_queue(slot)
        try:
            await turn
            return await self._transfer(slot, request)
        finally:
            slot.active.remove(request)
            self._leave(slot, request)

    def _process_queue(self, slot: Slot) -> None:
        """Start the requests that wait in a slot, if its delay and its limit allow."""
        while slot.queue and not slot.latercall and slot.free_transfer_slots() > 0:
            if self.limit.is_reached:
                self._held[slot] = None
                return
            now, delay = monotonic(), slot.download_delay()
            if delay and (wait := slot.lastseen + delay - now) > 0:
                slot.latercall = call_later(wait, self._latercall, slot)
                return
            slot.lastseen = now
            request, turn = cast("tuple[Request, Any]", slot.queue.popleft())
            if not turn.cancelled():
                slot.transferring.add(request)
                self.limit.enter()
                turn.set_result(None)

    async def _transfer(self, slot: Slot, request: Request) -> ScrapyResponse:
        try:
            response = await send(self.handlers, request)
            self._announce(signals.response_downloaded, response=response, request=request)
            return response
        finally:
            self._leave(slot, request)
            self._announce(signals.request_left_downloader, request=request)

    def _leave(self, slot: Slot, request: Request) -> None:
        """Free the place of a request, also if it was canceled before its transfer began."""
        if request not in slot.transferring:
            return
        slot.transferring.remove(request)
        self.limit.leave()
        # A middleware that lets the host rest sees the response before the next request is sent.
        asyncio.get_running_loop().call_soon(self._process_next, slot)

    def _process_next(self, slot: Slot) -> None:
        """Start what may be sent now; those that have waited longer come first."""
        held, self._held = self._held, {}
        for each in (*held, slot):
            self._process_queue(each)

    def _announce(self, signal: Any, **values: Any) -> None:
        if has_receivers(self.crawler, signal):
            self.signals.send_catch_log(signal, spider=self.crawler.spider, **values)
