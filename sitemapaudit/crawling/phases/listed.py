"""Sitemaps, and the pages that they list."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

from sitemapaudit.crawling.entry_source import EntrySource
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.items import Entries
from sitemapaudit.runs import stats
from sitemapaudit.runs.ledger.records import EntryRecords


class Listed(Phase):
    """Reads the sitemaps, and fetches the listed pages when there is room."""

    name: ClassVar = "sitemaps and listed pages"

    def __init__(
        self,
        parts: Parts,
        discovery: EntrySource,
        pages: PageCrawl,
        intake: Intake,
    ) -> None:
        self._config = parts.config
        self._counts = parts.counts
        self._discovery = discovery
        self._pages = pages
        self._intake = intake

    async def fetch(self) -> AsyncIterator[Any]:
        """Yield the sitemaps and their entries, and fetch the listed URLs."""
        async for item in self._discovery.read_sitemaps():
            if isinstance(item, Entries):
                async for output in self._intake.fetch_entries(item):
                    yield output
            else:
                yield item
                if isinstance(item, EntryRecords):
                    self._intake.fetch_robots(item.origins)
        for output in self._pages.frontier.fetch_deferred():
            yield output
        if isinstance(self._config.arguments.pages, int) or not self._config.samples:
            # Pages of a sample are requested later, in batches.
            self._counts.set_value(stats.ALL_LISTED, 1)
