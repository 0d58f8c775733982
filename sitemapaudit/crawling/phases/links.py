"""The phase that fetches linked URLs that no sitemap lists, after all listed URLs."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Final

from sitemapaudit.config import Links
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.runs import stats
from sitemapaudit.runs.ledger.resuming import cooperatively

if TYPE_CHECKING:
    from sitemapaudit.runs.ledger.found_links import FoundLinks

logger = logging.getLogger(__name__)

MAX_SHAPES: Final = 100
"""The number of shapes of URLs that are reported, the most frequent first."""


class LinkCrawl(Phase):
    """Fetches the home pages of the site, then the targets of links, breadth first.

    All links at one distance are fetched before the links on their pages. Found links are kept in
    files of the run, so a run of any size, and a resumed run, does the same. Pages that are fetched
    later, because they failed at first, can have links too: then it is repeated.
    """

    name: ClassVar = "linked pages"

    def __init__(self, parts: Parts, pages: PageCrawl, intake: Intake) -> None:
        self._links = parts.config.arguments.links
        self._path = parts.config.path
        self._found = parts.config.arguments.found
        self._run = parts.run
        self._hosts = parts.hosts
        self._counts = parts.counts
        self._fetches = parts.fetches
        self._selection = pages.selection
        self._intake = intake
        self._found_links: FoundLinks | None = None

    @property
    def has_more(self) -> bool:
        """True if pages with links were fetched since the phase ended, unless a limit ended it."""
        found = self._found_links
        return found is not None and not self._selection.is_limited and found.has_more()

    async def fetch(self) -> AsyncIterator[Any]:
        """Fetch linked pages until nothing is new, or a limit is reached."""
        homes = self._selected(f"{site}{self._path}/" for site in sorted(self._hosts.sites))
        async for output in self._intake.fetch(homes):
            yield output
        if self._links is Links.CRAWL and not self._selection.is_limited:
            async for output in self._fetch_linked():
                yield output
            self._report_limits()

    async def _fetch_linked(self) -> AsyncIterator[Any]:
        # Few runs need numpy before they build tables.
        from sitemapaudit.runs.ledger.found_links import FoundLinks  # noqa: PLC0415

        if self._found and self._found_links is None:  # Links that the other shards found.
            async for output in self._fetch_found(FoundLinks(self._found)):
                yield output
        self._found_links = found = self._found_links or FoundLinks(self._run.folder)
        distance, begun = 0, -1
        while self._begun > begun and await self._fetches.wait_until_idle():
            begun, distance = self._begun, distance + 1
            async for output in self._fetch_found(found):
                yield output
            logger.info("%d pages are linked and not listed (%d steps)", self._begun, distance)

    async def _fetch_found(self, found: FoundLinks) -> AsyncIterator[Any]:
        async for part in cooperatively(found.take()):
            # What a limit skips does not depend on the pages of this part.
            async for output in self._intake.fetch([*self._selected(part)]):
                yield output

    @property
    def _begun(self) -> int:
        return int(self._counts.get_value(stats.LINKED, 0))

    def _selected(self, linked: Iterable[str]) -> Iterator[FetchTask]:
        for url in linked:
            task = self._selection.select_linked(url)
            if task is not None:
                self._counts.inc_value(stats.LINKED)
                yield task

    def _report_limits(self) -> None:
        """Record what the limits skipped."""
        limits, manifest = self._selection.link_limits, self._run.manifest
        for setting, number in limits.skipped.items():
            logger.warning("%s: %d linked URLs are not fetched", setting, number)
        manifest.unfollowed = dict(limits.skipped)
        manifest.similar = dict(limits.shapes.most_common(MAX_SHAPES))
