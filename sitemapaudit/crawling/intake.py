"""Passes listed URLs to the crawl when it has room."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.items import Entries
from sitemapaudit.runs import stats
from sitemapaudit.sitemaps.file_parts import origins_of

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

MAX_WAITING: Final = 10_000
"""Limit of tasks that wait in the frontier; then reading the sitemaps pauses."""


class Intake:
    """Passes URLs to the frontier at its speed, so that memory does not grow with the site."""

    def __init__(self, counts: StatsCollector, crawl: PageCrawl) -> None:
        self._counts = counts
        self._crawl = crawl

    async def wait_for_room(self) -> None:
        """Wait until the frontier has room."""
        await self._crawl.frontier.wait_for_room(MAX_WAITING)

    async def fetch(self, tasks: Iterable[FetchTask]) -> AsyncIterator[Any]:
        """Fetch URLs, each when there is room."""
        for task in tasks:
            await self.wait_for_room()
            for output in self._crawl.frontier.fetch(task):
                yield output

    async def fetch_listed(self, listed: Iterable[str]) -> AsyncIterator[Any]:
        """Fetch listed URLs that were not selected before."""
        select = self._crawl.selection.select_listed
        tasks = [task for url in listed if (task := select(url))]
        self._count(tasks)
        async for output in self.fetch(tasks):
            yield output

    async def fetch_entries(self, entries: Entries) -> AsyncIterator[Any]:
        """Yield entries with their skip reasons; fetch their URLs and robots.txt.

        The robots.txt of each host in entries is needed: it says whether the sitemap may list its
        URLs.
        """
        tasks = self._crawl.selection.select_entries(entries.rows)
        self._count(tasks)
        yield entries
        async for output in self.fetch(tasks):
            yield output
        self.fetch_robots(origins_of(entries.rows))

    def fetch_robots(self, origins: Iterable[str]) -> None:
        """Fetch the robots.txt of origins that entries name."""
        self._crawl.frontier.fetch_robots(origins)

    def _count(self, tasks: list[FetchTask]) -> None:
        self._counts.inc_value(stats.LISTED, len(tasks))
