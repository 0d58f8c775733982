"""The phase that fetches language alternates that no sitemap lists, after all listed URLs.

Most alternates are listed, often in a sitemap that is read later. So each of them is looked for
once all listed URLs are known, in the ledger.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Any, ClassVar

from sitemapaudit.crawling.entry_source import EntrySource
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.items import Entry, Page, Role, SkipReason
from sitemapaudit.runs.ledger.resuming import ResumedLedger, cooperatively
from sitemapaudit.urls.shard import WHOLE


class Alternates(Phase):
    """Fetches the alternates that listed pages and their entries declare."""

    name: ClassVar = "alternates"

    def __init__(
        self, parts: Parts, discovery: EntrySource, pages: PageCrawl, intake: Intake
    ) -> None:
        self._run = parts.run.folder
        self._shard = parts.config.arguments.shard
        self._discovery = discovery
        self._resumed = parts.config.arguments.resume is not None
        self._selection = pages.selection
        self._intake = intake

    async def fetch(self) -> AsyncIterator[Any]:
        """Fetch the alternates in the ledger that were not fetched."""
        if not (self._selection.has_alternates or self._resumed):
            return
        ledger = ResumedLedger(self._run)
        if self._shard != WHOLE:
            async for url in cooperatively(self._listed_elsewhere(ledger)):
                self._selection.leave_to_others(url)
        async for row in cooperatively(ledger.pages()):
            if row.role is Role.LISTED:
                async for output in self._intake.fetch(self._selected(row)):
                    yield output
        async for entry in cooperatively(ledger.entries()):
            if entry.skip_reason is None:
                async for output in self._intake.fetch(self._selected(entry)):
                    yield output

    def _listed_elsewhere(self, ledger: ResumedLedger) -> Iterator[str]:
        """Yield the listed URLs that other shards fetch."""
        yield from self._discovery.listed_elsewhere()
        for entry in ledger.entries():
            if entry.skip_reason is SkipReason.SHARD and entry.url is not None:
                yield entry.url

    def _selected(self, row: Page | Entry) -> Iterator[FetchTask]:
        for alternate in row.alternates:
            if row.url is None or alternate.url is None:
                continue
            task = self._selection.select_alternate(alternate.url, row.url)
            if task is not None:
                yield task
