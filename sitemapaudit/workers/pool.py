"""The workers of a run."""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
from scrapy.http import Response

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.hooks import Answers
from sitemapaudit.engine.private_api import is_observed
from sitemapaudit.runs.link_log import LinkRecord
from sitemapaudit.runs.page_lines import read_line
from sitemapaudit.runs.records import PageRecord
from sitemapaudit.workers.child import Child
from sitemapaudit.workers.cores import take_long_turns
from sitemapaudit.workers.log_forwarding import log_here
from sitemapaudit.workers.messages import Answer, Counted, Done, Job, Logged, Refused, frame

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

PAYS_FROM: Final = 2_000
"""Pages that wait when workers are started: to start one takes as long as 600 pages."""

_QUEUED: Final = 4
"""Pages that wait in each worker at least, so that it need not wait for the main process.

For few workers, as many wait as may be in flight. No more, because they may be fetched again if
the main process is killed.
"""

_LIMITS: Final = ("CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN")
"""Settings that limit the pages in flight; 0 is no limit."""


class WorkerPool:
    """Starts ``count`` workers when enough pages wait, and gives each page to the least busy one.

    With ``at_once``, one waiting page is enough. What cannot be done in other processes is done in
    this one: then no worker is started, or its tasks come back.
    """

    def __init__(self, crawler: Crawler, job: Job, count: int, *, at_once: bool) -> None:
        self._crawler = crawler
        self._job = job
        self._count = count
        self._pays_from = 1 if at_once else PAYS_FROM
        self._in_flight = min(filter(None, map(crawler.settings.getint, _LIMITS)), default=0)
        self._answers: Answers
        self._children: list[Child] = []
        self._lost: list[Child] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._started = False
        self._closing = False
        self._answered = 0

    @property
    def queued(self) -> int:
        """How many pages should wait in the workers."""
        workers = len(self._children)
        return max(self._in_flight, _QUEUED * workers) if workers else 0

    def connect(self, answers: Answers) -> None:
        """Call these from now on."""
        self._answers = answers

    def are_ready(self, waiting: int) -> bool:
        """Return whether a worker is ready; start them if so many waiting pages are enough."""
        if not self._children and not self._started and waiting >= self._pays_from:
            self._started = True
            self._run(self._start())
        return bool(self._children) and not self._closing

    def take(self, task: FetchTask) -> None:
        """Give a page to the least busy worker."""
        min(self._children, key=lambda child: len(child.in_flight)).send(task)

    def retire(self) -> None:
        """Let the workers end, without waiting for it: there is nothing left to fetch.

        Otherwise they take memory while the tables are built, which needs most.
        """
        if self._closing:
            return
        self._closing = True
        if self._answered:
            logger.info("Workers fetched %d pages", self._answered)
        for child in self._children:
            child.close_input()

    async def close(self) -> None:
        """End the workers."""
        self.retire()
        await asyncio.gather(*(child.end() for child in (*self._children, *self._lost)))
        for task in self._tasks:
            task.cancel()

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _start(self) -> None:
        if is_observed(self._crawler):
            logger.info("One process fetches all pages: others here want to see each of them")
            return
        try:
            job = frame(pickle.dumps(self._job))
        except Exception as error:  # noqa: BLE001 - whatever an object of the user's raises
            logger.warning("One process fetches all pages: a setting cannot be copied (%s)", error)
            return
        take_long_turns()
        logger.info("%d workers fetch and read pages", self._count)
        for _ in range(self._count):
            self._run(self._serve(job))

    async def _serve(self, job: bytes) -> None:
        try:
            child = await Child.start(job)
        except (OSError, NotImplementedError) as error:
            logger.warning("A worker cannot be started: %s", error)
            return
        async for answers in child.answers():
            if child not in self._children:
                self._children.append(child)
                logger.info("A worker is ready")
            for answer in answers:
                self._handle(child, answer)
            if pages := [answer for answer in answers if isinstance(answer, Done)]:
                await self._settle(child, pages)
        await self._lose(child)

    async def _lose(self, child: Child) -> None:
        """Go on without a worker that ended."""
        if self._closing:
            return
        self._lost.append(child)
        if child in self._children:
            self._children.remove(child)
        # Now, not when its process has ended: the run ends once nothing is in flight.
        tasks = list(child.in_flight.values())
        child.in_flight.clear()
        self._answers.lost(tasks)
        logger.warning(
            "A worker ended (exit status %d); its %d pages are fetched again",
            await child.end(),
            len(tasks),
        )

    def _handle(self, child: Child, answer: Answer) -> None:
        match answer:
            case Refused():
                self._hand_back(child, answer)
            case Counted():
                for name, number in answer.stats.items():
                    self._crawler.stats.inc_value(name, number)
            case Logged():
                log_here(answer)

    async def _settle(self, child: Child, pages: Sequence[Done]) -> None:
        self._answered += len(pages)
        await self._answers.done(
            [(child.in_flight[done.number], self._record(done)) for done in pages]
        )
        for done in pages:
            del child.in_flight[done.number]

    def _record(self, done: Done) -> PageRecord | None:
        """Return the record of a page; None if it has no line, or one that cannot be read."""
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

    def _hand_back(self, child: Child, refused: Refused) -> None:
        task = child.in_flight[refused.number]
        headers = {b"Retry-After": refused.retry_after} if refused.retry_after else None
        response = Response(task.url, refused.status, headers)
        self._answers.refused(task, response, refused.retries)
        del child.in_flight[refused.number]
