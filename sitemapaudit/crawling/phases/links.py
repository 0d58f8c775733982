"""What pages link to and no sitemap lists: fetched when everything listed is."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.config import Config, Links
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.idling import wait_until_idle
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.engine import stats
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.runs.resuming import cooperatively

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.crawling.page_crawl import PageCrawl
    from sitemapaudit.runs.found_links import FoundLinks

logger = logging.getLogger(__name__)

MAX_SHAPES: Final = 100
"""Kinds of similar URLs that are reported, those with most URLs first."""


class LinkCrawl:
    """Fetches the home pages of the site, and then what links lead to, breadth first.

    All links of a distance are fetched before those that are found on them. The files of the run
    hold what is found, so that a run of any size, and one that is resumed, does the same.
    """

    def __init__(self, crawler: Crawler, config: Config, hosts: Hosts, crawl: PageCrawl) -> None:
        self._crawler = crawler
        self._links = config.arguments.links
        self._found = config.arguments.found
        self._hosts = hosts
        self._crawl = crawl
        self._selection = crawl.selection

    async def fetch(self, run: Path, intake: Intake) -> AsyncIterator[Any]:
        """Fetch linked pages until nothing is new, or a limit is reached."""
        if self._links is Links.NONE:
            return
        homes = self._selected(f"{origin}/" for origin in sorted(self._hosts.sites))
        async for output in intake.fetch(homes):
            yield output
        if self._links is Links.CRAWL and not self._selection.is_limited:
            async for output in self._fetch_linked(run, intake):
                yield output
            self._report_limits()

    async def _fetch_linked(self, run: Path, intake: Intake) -> AsyncIterator[Any]:
        # Few runs need numpy before their tables are built.
        from sitemapaudit.runs.found_links import FoundLinks  # noqa: PLC0415

        if self._found:  # What the other shards found.
            async for output in self._fetch_found(FoundLinks(self._found), intake):
                yield output
        found, distance, begun = FoundLinks(run), 0, -1
        while self._begun > begun and await wait_until_idle(
            self._crawler, lambda: self._crawl.is_idle
        ):
            begun, distance = self._begun, distance + 1
            async for output in self._fetch_found(found, intake):
                yield output
            logger.info("%d pages are linked and not listed (%d steps)", self._begun, distance)

    async def _fetch_found(self, found: FoundLinks, intake: Intake) -> AsyncIterator[Any]:
        async for url in cooperatively(found.take()):
            async for output in intake.fetch(self._selected([url])):
                yield output

    @property
    def _begun(self) -> int:
        return int(self._crawler.stats.get_value(stats.LINKED, 0))

    def _selected(self, linked: Iterable[str]) -> Iterator[FetchTask]:
        for url in linked:
            task = self._selection.select_linked(url)
            if task is not None:
                self._crawler.stats.inc_value(stats.LINKED)
                yield task

    def _report_limits(self) -> None:
        """Pass on what the limits skipped."""
        limits = self._selection.link_limits
        for setting, number in limits.skipped.items():
            logger.warning("%s: %d linked URLs are not fetched", setting, number)
        self._crawler.stats.set_value(stats.UNFOLLOWED, dict(limits.skipped))
        shapes = dict(limits.shapes.most_common(MAX_SHAPES))
        self._crawler.stats.set_value(stats.SIMILAR, shapes)
