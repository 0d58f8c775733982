"""What is fetched side by side: a task for each URL."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from sitemapaudit.engine import stats
from sitemapaudit.engine.private_api import held_open, is_closing, process_item

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class _Caught:
    """Ends errors of ours: each is logged and counted, and costs no other URL anything.

    The URL has no row, or what it leads to is missing: a resumed run fetches it again.
    """

    __slots__ = ("_crawler",)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        if not isinstance(error, Exception):
            return False
        logger.error("A URL could not be processed", exc_info=error)
        self._crawler.stats.inc_value("spider_exceptions/count")
        return True


class Fetches:
    """Runs the tasks of a crawl; the crawl does not end before them.

    Scrapy's scheduler and its callbacks would do the same for each URL, and take longer than
    everything else that is done with it.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.caught = _Caught(crawler)
        self._crawler = crawler
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_idle(self) -> bool:
        """Whether no task runs."""
        return not self._tasks

    @property
    def are_accepted(self) -> bool:
        """Whether anything is fetched: the crawl does not end, and its rows can be written."""
        failed = self._crawler.stats.get_value(stats.WRITE_ERROR)
        return not failed and not is_closing(self._crawler)

    def start(self, fetch: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in a task, if fetches are accepted."""
        if not self.are_accepted:
            fetch.close()
            return
        task = asyncio.create_task(self._run(fetch))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def process(self, items: Iterator[Any] | AsyncIterator[Any]) -> None:
        """Pass items to the pipelines, each after the one before."""
        if isinstance(items, AsyncIterator):
            async for item in items:
                await process_item(self._crawler, item)
        else:
            for item in items:
                await process_item(self._crawler, item)

    async def _run(self, fetch: Coroutine[Any, Any, None]) -> None:
        with held_open(self._crawler), self.caught:
            await fetch
