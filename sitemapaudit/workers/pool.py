"""The workers of a run, which fetch and read pages."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec
from scrapy.crawler import Crawler
from scrapy.http import Response as ScrapyResponse

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.hooks import Answers
from sitemapaudit.engine.machine_faults import stop_for
from sitemapaudit.engine.requests import requests_of
from sitemapaudit.engine.signals import responses_doubted
from sitemapaudit.machine import MachineFault
from sitemapaudit.runs.ledger.link_log import LinkRecord
from sitemapaudit.runs.ledger.page_lines import read_line
from sitemapaudit.runs.ledger.records import PageRecord
from sitemapaudit.workers.child_pool import ChildPool
from sitemapaudit.workers.job import Job, requests_of_workers
from sitemapaudit.workers.log_forwarding import Logged, log_forwarded
from sitemapaudit.workers.messages import Answer, Counted, Done, Doubted, Failed, Order, Refused
from sitemapaudit.workers.process import ChildProcess

logger = logging.getLogger(__name__)

PAYS_FROM: Final = 2_000
"""Pages that wait when workers are started: starting them takes as long as 1,500 pages."""

_QUEUED: Final = 4
"""Minimum of pages that wait in each worker, so that it need not wait for the main process.

For few workers, as many wait as may be in flight, but not more: they may be fetched again if the
main process is killed.
"""

_LIMITS: Final = ("CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN")
"""Settings that limit the pages in flight; 0 means no limit."""


class _Worker:
    """A worker process, and its unanswered tasks by the number of their order."""

    def __init__(self, process: ChildProcess) -> None:
        self.process = process
        self.in_flight: dict[int, FetchTask] = {}
        self._orders: list[Order] = []
        self._last = 0

    def send(self, task: FetchTask) -> None:
        """Order a page; orders of the same moment are sent together."""
        self._last += 1
        self.in_flight[self._last] = task
        if not self._orders:
            asyncio.get_running_loop().call_soon(self._flush)
        self._orders.append(Order(self._last, task.url, task.role, task.via, task.steps))

    def _flush(self) -> None:
        orders, self._orders = self._orders, []
        self.process.send(orders)


class WorkerPool(ChildPool):
    """Starts workers when enough pages wait, and gives each page to the least busy worker.

    With ``at_once``, one waiting page is enough. The tasks of a worker that ends are returned.
    """

    program: ClassVar = "worker"
    work: ClassVar = "fetch and read pages"
    work_here: ClassVar = "fetches all pages"
    buffer: ClassVar = 1 << 20

    def __init__(self, crawler: Crawler, job: Job, count: int, *, at_once: bool) -> None:
        super().__init__(crawler, job, count)
        self._pays_from = 1 if at_once else PAYS_FROM
        self._in_flight = min(filter(None, map(crawler.settings.getint, _LIMITS)), default=0)
        in_all = crawler.settings.getint("CONCURRENT_REQUESTS")
        of_workers = requests_of_workers(crawler.settings)
        self._limit_alone = in_all or sys.maxsize
        self._limit_with_workers = in_all - of_workers if of_workers else sys.maxsize
        """The most requests that this process has in flight, without workers and with them."""
        self._answers: Answers
        self._workers: list[_Worker] = []
        self._lost: list[_Worker] = []
        self._taken: list[FetchTask] = []
        """The tasks that no worker has yet."""
        self._answered = 0

    @property
    def queued(self) -> int:
        """The number of pages that should wait in the workers."""
        workers = len(self._workers)
        return max(self._in_flight, _QUEUED * workers) if workers else 0

    def connect(self, answers: Answers) -> None:
        """Use these callbacks from now on."""
        self._answers = answers

    def are_ready(self, waiting: int) -> bool:
        """Return whether a worker is ready; start them if enough pages wait."""
        if waiting >= self._pays_from:
            self.start()
        return bool(self._workers) and not self._closing

    def take(self, task: FetchTask) -> None:
        """Give a page to a worker; from now on this process has fewer requests in flight.

        The first ones wait until it has: otherwise, together they would be too many for a moment.
        """
        self._taken.append(task)
        requests_of(self._crawler).limit.change(self._limit_with_workers, self._send_taken)

    def _send_taken(self) -> None:
        """Give each page to the least busy worker."""
        taken, self._taken = self._taken, []
        for task in taken:
            min(self._workers, key=lambda worker: len(worker.in_flight)).send(task)

    def retire(self) -> None:
        """Let the workers end, because nothing is left to fetch; do not wait for that.

        Otherwise they take memory while the tables are built, which needs the most.
        """
        if self._closing:
            return
        self._closing = True
        if self._answered:
            logger.info("Workers fetched %d pages", self._answered)
        for worker in self._workers:
            worker.process.close_input()

    async def close(self) -> None:
        """End the workers."""
        self.retire()
        workers = (*self._workers, *self._lost)
        await asyncio.gather(*(worker.process.end() for worker in workers))
        await self._end_processes()
        for task in self._tasks:
            task.cancel()

    async def serve(self, process: ChildProcess) -> None:
        """Take the answers of a worker until it ends."""
        worker = _Worker(process)
        async for answers in process.answers():
            if worker not in self._workers:
                self._workers.append(worker)
                logger.info("A worker is ready")
            for answer in answers:
                self._handle(worker, answer)
            if pages := [answer for answer in answers if isinstance(answer, Done)]:
                await self._deliver(worker, pages)
        await self._give_up(worker)

    async def _give_up(self, worker: _Worker) -> None:
        """Continue without a worker that ended."""
        if self._closing:
            return
        self._lost.append(worker)
        if worker in self._workers:
            self._workers.remove(worker)
        # Before its process has ended: otherwise the run could end, because nothing is in flight.
        tasks = list(worker.in_flight.values())
        worker.in_flight.clear()
        if not self._workers:
            requests_of(self._crawler).limit.change(self._limit_alone)
            tasks += self._taken
            self._taken.clear()
        self._answers.lost(tasks)
        status = await worker.process.end()
        logger.warning(
            "A worker ended (exit status %d); its %d pages are fetched again", status, len(tasks)
        )

    def _handle(self, worker: _Worker, answer: Answer) -> None:
        match answer:
            case Refused():
                self._hand_back(worker, answer)
            case Counted():
                for name, number in answer.stats.items():
                    self._crawler.stats.inc_value(name, number)
            case Doubted():
                self._crawler.signals.send_catch_log(responses_doubted, urls=answer.urls)
            case Failed():
                stop_for(self._crawler, MachineFault(answer.reason, answer.remedy))
            case Logged():
                log_forwarded(answer)

    async def _deliver(self, worker: _Worker, pages: Sequence[Done]) -> None:
        self._answered += len(pages)
        await self._answers.done(
            [(worker.in_flight[done.number], self._record(done)) for done in pages]
        )
        for done in pages:
            del worker.in_flight[done.number]

    def _record(self, done: Done) -> PageRecord | None:
        """Return the record of a page; None if it has no line, or an unreadable line."""
        if not done.line:
            return None
        try:
            page = read_line(done.page or done.line)
        except msgspec.MsgspecError:
            # Our fault, not the site's: a resumed run fetches it again.
            logger.exception("A page of a worker could not be read")
            self._crawler.stats.inc_value("spider_exceptions/count")
            return None
        links = LinkRecord(done.links, done.names) if done.links else None
        return PageRecord(page, done.line, done.findings, done.found, links)

    def _hand_back(self, worker: _Worker, refused: Refused) -> None:
        task = worker.in_flight.pop(refused.number)
        headers = {b"Retry-After": refused.retry_after} if refused.retry_after else None
        response = ScrapyResponse(task.url, refused.status, headers)
        self._answers.refused(task, response, refused.retries)
