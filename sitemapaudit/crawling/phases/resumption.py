"""The phases that restore a resumed run, and fetch what is missing."""

from collections.abc import AsyncIterator
from itertools import chain
from typing import Any, ClassVar, Final

from sitemapaudit import urls
from sitemapaudit.crawling.entry_source import EntrySource
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.items import Entry, Role, SkipReason
from sitemapaudit.runs import stats
from sitemapaudit.runs.ledger.resuming import ResumedLedger, cooperatively

_LIMITS: Final = (SkipReason.LIMIT, SkipReason.HOSTS)


class Resumption(Phase):
    """Restores the state of a run from its ledger, and fetches what is missing."""

    name: ClassVar = "what was not fetched before"

    def __init__(
        self, parts: Parts, ledger: ResumedLedger, pages: PageCrawl, intake: Intake
    ) -> None:
        self._samples = parts.config.samples
        self._hosts = parts.hosts
        self._counts = parts.counts
        self._ledger = ledger
        self._pages = pages
        self._intake = intake
        self._steps: dict[str, int] = {}

    def restore(self, discovery: EntrySource) -> None:
        """Restore the robots.txt files and sitemaps that were read, before the first phase."""
        for robots in self._ledger.robots():
            self._hosts.restore(robots)
        children = self._ledger.children()
        for sitemap in self._ledger.sitemaps():
            discovery.restore(sitemap, children.get(sitemap.sitemap, []))

    async def fetch(self) -> AsyncIterator[Any]:
        """Fetch the listed URLs that were not fetched."""
        pages, steps = self._pages, self._steps
        async for page in cooperatively(self._ledger.pages()):
            if page.role is Role.LISTED:
                self._counts.inc_value(stats.DONE)
                self._counts.inc_value(stats.LISTED)
            elif page.role is not Role.LINK:
                steps[page.url] = steps.get(page.via or "", 0) + 1
            pages.restore(page, steps.get(page.url, 0))
        async for page in cooperatively(self._ledger.rechecks()):
            pages.restore(page, steps.get(page.url, 0))
        async for entry in cooperatively(self._ledger.entries()):
            async for output in self._fetch_entry(entry):
                yield output
        if not self._samples:
            async for output in self.follow():
                yield output

    async def follow(self) -> AsyncIterator[Any]:
        """Fetch the follow-ups of restored pages that were not fetched."""
        pages, steps = self._pages, self._steps
        async for page in cooperatively(chain(self._ledger.pages(), self._ledger.rechecks())):
            await self._intake.wait_for_room()
            for output in pages.follow(page, steps.get(page.url, 0)):
                yield output
            self._intake.fetch_robots([urls.origin(page.url)])

    async def _fetch_entry(self, entry: Entry) -> AsyncIterator[Any]:
        if entry.url is None:
            return
        self._intake.fetch_robots([urls.origin(entry.url)])
        selection, reason = self._pages.selection, entry.skip_reason
        if self._samples:
            if reason is None:
                selection.restore_entry(entry.url)
            return
        # A limit can be another one now.
        if reason is not None and not (reason in _LIMITS and selection.admits(entry.url)):
            return
        async for output in self._intake.fetch_listed([entry.url]):
            yield output


class RestoredFollowUps(Phase):
    """Fetches the follow-ups of restored pages of a sample, after the sample itself.

    A follow-up that belongs to the sample is fetched as a listed URL, and counts as one. If a
    sample grows, this depends on what was drawn when the run was stopped.
    """

    name: ClassVar = "what pages lead to"

    def __init__(self, resumption: Resumption) -> None:
        self._resumption = resumption

    def fetch(self) -> AsyncIterator[Any]:
        """Fetch the follow-ups that were not fetched."""
        return self._resumption.follow()
