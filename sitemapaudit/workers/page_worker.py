"""The spider of a worker, which fetches the pages that the main process orders."""

import asyncio
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any, Final

import msgspec
from scrapy import Spider

from sitemapaudit.audit import Audit
from sitemapaudit.crawling.assembling import assemble
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.page_fetcher import ReadPage
from sitemapaudit.engine.machine_faults import stop_if_short
from sitemapaudit.engine.signals import machine_failed, responses_doubted
from sitemapaudit.fetching.access import SiteAccess
from sitemapaudit.fetching.refusals import Handover, RefusedError
from sitemapaudit.http.response import Response
from sitemapaudit.machine import MachineFault
from sitemapaudit.runs import stats
from sitemapaudit.runs.ledger.link_log import LinkRecord
from sitemapaudit.runs.ledger.records import Recorder
from sitemapaudit.workers.connection import Connection
from sitemapaudit.workers.job import Job
from sitemapaudit.workers.messages import Counted, Done, Doubted, Failed, Order, Refused

logger = logging.getLogger(__name__)

_COUNT_INTERVAL: Final = 0.5
"""Seconds between updates of the main process's stats while pages are in flight."""


class PageWorker(Spider):
    """Fetches pages, reads them, checks them with the rules, and sends their lines."""

    name = "page-worker"

    def __init__(self, job: Job, connection: Connection) -> None:
        super().__init__()
        self.config = job.config
        self.access: SiteAccess
        self.pace: Handover | None = None
        self._has_failed = False
        self._job = job
        self._connection = connection

    async def start(self) -> AsyncIterator[Any]:
        """Fetch the ordered pages until the main process ends."""
        settings, crawler, job = self.config.settings, self.crawler, self._job
        job.addresses.stop_learning()
        assembly = assemble(crawler, self.config, job.addresses, job.reuse)
        self.access, self._pages = assembly.access, assembly.pages
        self.pace = Handover() if settings.max_delay else None
        self._audit = Audit.of(settings)
        self._recorder = Recorder(self._audit)
        crawler.signals.connect(self._stop, signal=machine_failed)
        crawler.signals.connect(self._pass_doubt, signal=responses_doubted)
        self._tasks: set[asyncio.Task[None]] = set()
        self._unanswered = 0
        self._sent: Counter[str] = Counter()
        self._counted_at = monotonic()
        async for orders in self._connection.orders():
            self._unanswered += len(orders)
            for order in orders:
                task = asyncio.create_task(self._answer(order))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        if self._tasks:
            os._exit(1)  # No one waits for the pages: no further request may be sent.
        self._pages.close()
        nothing: tuple[Any, ...] = ()
        for item in nothing:  # Scrapy requires a generator.
            yield item

    async def _answer(self, order: Order) -> None:
        task = FetchTask(order.url, order.role, order.via, order.steps)
        answer: Done | Refused = Done(order.number)
        try:
            await self._pages.wait_for_room()
            if not self._has_failed:
                response, read = await self._pages.fetch(task)
                answer = self._done(order.number, response, read)
        except RefusedError as error:
            answer = _refusal(order.number, error)
        except asyncio.CancelledError:
            pass  # This machine failed: the main process ends the run.
        except Exception as error:
            if not stop_if_short(self.crawler, error):
                logger.exception("A URL could not be processed")
                self.crawler.stats.inc_value("spider_exceptions/count")
        # Tasks that have just answered may still be in the set.
        self._unanswered -= 1
        self._send_counts(is_last=self._unanswered == 0)
        self._connection.send(answer)

    def _stop(self, fault: MachineFault) -> None:
        """Pass a fault of this machine on, and fetch nothing more."""
        if not self._has_failed:
            self._has_failed = True
            self._connection.send(Failed(fault.reason, fault.remedy))

    def _pass_doubt(self, urls: list[str]) -> None:
        self._connection.send(Doubted(urls))

    def _done(self, number: int, response: Response, read: ReadPage) -> Done:
        page = read.page
        record = self._recorder.record(page, response=response)
        original = None if record.item is page else msgspec.json.encode(page)
        findings = self._recorder.lines(record.findings)
        done = Done(number, record.lines, findings, len(record.findings), original)
        if read.links is not None:
            links = LinkRecord.of(read.links)
            done.links, done.names = links.block, links.names
        return done

    def _send_counts(self, *, is_last: bool) -> None:
        """Send the counts since the last time, no later than before the last answer."""
        if not is_last and monotonic() - self._counted_at < _COUNT_INTERVAL:
            return
        self._counted_at = monotonic()
        counts = Counter(
            {
                name: number
                for name, number in self.crawler.stats.get_stats().items()
                if type(number) is int
            }
        )
        for rule, number in self._audit.broken.items():
            counts[stats.broken_stat(rule)] = number
        added = counts - self._sent
        if added:
            self._connection.send(Counted(dict(added)))
            self._sent = counts


def _refusal(number: int, error: RefusedError) -> Refused:
    response = error.response
    retries = error.request.meta.get("retry_times", 0)
    return Refused(number, response.status, response.headers.get(b"Retry-After"), retries)
