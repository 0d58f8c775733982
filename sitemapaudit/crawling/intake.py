"""The way of listed URLs into the crawl: no faster than it has room."""

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
"""Tasks that can wait in the frontier before reading the sitemaps waits too."""


class Intake:
    """Passes URLs on to the frontier, so that memory does not grow with the site."""

    def __init__(self, counts: StatsCollector, crawl: PageCrawl) -> None:
        self._counts = counts
        self._crawl = crawl

    async def wait_for_room(self) -> None:
        """Wait until few enough tasks wait in the frontier."""
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
        """Pass on entries with their skip reasons, fetch their URLs, and their robots.txt.

        The robots.txt of every host that entries name is needed: it says whether that host lets
        the sitemap list its URLs.
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
