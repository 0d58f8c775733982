"""Concurrent fetches, one task per URL."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any

from sitemapaudit.crawling.item_output import process_item
from sitemapaudit.engine.machine_faults import stop_if_short
from sitemapaudit.engine.private_api import is_closing, keep_open, report_error

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.runs.audit_run import AuditRun

logger = logging.getLogger(__name__)


class _Caught:
    """Catches our own errors: each is logged and counted, and affects only its URL.

    The URL has no row, or its follow-ups are missing: a resumed run fetches it again.
    """

    __slots__ = ("_crawler",)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        if not isinstance(error, Exception):
            return False
        if stop_if_short(self._crawler, error):
            return True
        logger.error("A URL could not be processed", exc_info=error)
        self._crawler.stats.inc_value("spider_exceptions/count")
        report_error(self._crawler, error)
        return True


class Fetches:
    """Runs the tasks of a crawl, and counts those of workers; the crawl does not end before them.

    Scrapy's scheduler and callbacks would do the same, but take longer per URL than everything
    else.
    """

    def __init__(self, crawler: Crawler, run: AuditRun) -> None:
        self.caught = _Caught(crawler)
        self._crawler = crawler
        self._run_of_crawl = run
        self._tasks: set[asyncio.Task[None]] = set()
        self._number = 0
        self._hold: keep_open | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def are_accepted(self) -> bool:
        """True if fetches may begin: the crawl is not ending, and its rows can be written."""
        return self._run_of_crawl.is_open and not is_closing(self._crawler)

    def begin(self) -> None:
        """Count the start of a fetch."""
        if not self._number:
            self._idle.clear()
            self._hold = keep_open(self._crawler)
            self._hold.__enter__()
        self._number += 1

    def end(self) -> None:
        """Count the end of a fetch, including its follow-ups."""
        self._number -= 1
        if not self._number and self._hold is not None:
            self._hold.__exit__()
            self._idle.set()

    def start(self, fetch: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in a task, if fetches are accepted."""
        if not self.are_accepted:
            fetch.close()
            return
        self.begin()
        task = asyncio.create_task(self._run(fetch))
        self._tasks.add(task)
        task.add_done_callback(self._end_task)

    async def process(self, items: Iterable[Any] | AsyncIterable[Any]) -> None:
        """Pass items to the pipelines, one after the other."""
        if isinstance(items, AsyncIterable):
            async for item in items:
                await process_item(self._crawler, item)
        else:
            for item in items:
                await process_item(self._crawler, item)

    async def wait_until_idle(self) -> bool:
        """Wait until nothing is in flight, so that nothing can follow.

        Return False if the run is closed first.
        """
        await self._idle.wait()
        return not is_closing(self._crawler)

    async def _run(self, fetch: Coroutine[Any, Any, None]) -> None:
        with self.caught:
            await fetch

    def _end_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.end()
