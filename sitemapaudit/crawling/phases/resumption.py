"""The first part of a resumed run: what was known before, and what was not fetched."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.discovery.discovery import Discovery
from sitemapaudit.engine import stats
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.items import Entry, Role
from sitemapaudit.runs.resuming import ResumedLedger, cooperatively

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Resumption:
    """Restores the state of a run from its ledger, and requests what is missing."""

    def __init__(self, crawler: Crawler, config: Config, ledger: ResumedLedger) -> None:
        self._crawler = crawler
        self._samples = config.samples
        self._ledger = ledger

    def restore(self, hosts: Hosts, discovery: Discovery) -> None:
        """Take over the robots.txt files and sitemaps that were read."""
        for robots in self._ledger.robots():
            hosts.restore(robots)
        children = self._ledger.children()
        for sitemap in self._ledger.sitemaps():
            discovery.restore(sitemap, children.get(sitemap.sitemap, []))

    async def fetch_missing(self, crawl: PageCrawl, intake: Intake) -> AsyncIterator[Any]:
        """Fetch the URLs that were listed or led to, and not fetched."""
        steps: dict[str, int] = {}
        async for page in cooperatively(self._ledger.pages()):
            if page.role is Role.LISTED:
                self._crawler.stats.inc_value(stats.DONE)
                self._crawler.stats.inc_value(stats.LISTED)
            elif page.role is not Role.LINK:
                steps[page.url] = steps.get(page.via or "", 0) + 1
            crawl.restore(page, steps.get(page.url, 0))
        async for page in cooperatively(self._ledger.rechecks()):
            crawl.restore(page, steps.get(page.url, 0))
        async for entry in cooperatively(self._ledger.entries()):
            async for output in self._fetch_entry(entry, crawl, intake):
                yield output
        async for page in cooperatively(chain(self._ledger.pages(), self._ledger.rechecks())):
            await intake.wait_for_room()
            for output in crawl.follow(page, steps.get(page.url, 0)):
                yield output
            for robots in crawl.frontier.fetch_robots([urls.origin(page.url)]):
                yield robots

    async def _fetch_entry(
        self, entry: Entry, crawl: PageCrawl, intake: Intake
    ) -> AsyncIterator[Any]:
        if entry.url is None:
            return
        for robots in crawl.frontier.fetch_robots([urls.origin(entry.url)]):
            yield robots
        if entry.skip_reason is None and not self._samples:
            async for output in intake.fetch_listed([entry.url]):
                yield output
