"""Pages of a build folder that nothing led to."""

from collections.abc import AsyncIterator, Iterator
from itertools import chain
from typing import Any, ClassVar

from sitemapaudit.crawling.entry_source import EntrySource
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.fetching.build_site import BuildSite
from sitemapaudit.runs.ledger.resuming import ResumedLedger, cooperatively
from sitemapaudit.urls.url_set import UrlSet


class Built(Phase):
    """Fetches the pages of a build that no sitemap lists and nothing led to, at their usual URLs.

    Its sitemaps too, unless they were read: a rule reports them.

    Listed pages that were skipped stay skipped: the ledger has them, also those of a resumed run.
    """

    name: ClassVar = "unlisted pages of the build"

    def __init__(
        self,
        build: BuildSite,
        parts: Parts,
        discovery: EntrySource,
        crawl: PageCrawl,
        intake: Intake,
    ) -> None:
        self._discovery = discovery
        self._build = build
        self._reads_pages = parts.config.arguments.pages == "all"
        self._run = parts.run
        self._selection = crawl.selection
        self._intake = intake

    async def fetch(self) -> AsyncIterator[Any]:
        """Fetch the pages that are neither listed nor selected at any of their URLs."""
        skipped = UrlSet()
        async for entry in cooperatively(ResumedLedger(self._run.folder).entries()):
            if entry.skip_reason is not None and entry.url is not None:
                skipped.add(entry.url)
        async for output in self._intake.fetch(self._tasks(skipped)):
            yield output
        self._run.manifest.unfollowed = dict(self._selection.link_limits.skipped)

    def _tasks(self, skipped: UrlSet) -> Iterator[FetchTask]:
        pages = self._build.pages() if self._reads_pages else ()
        sitemaps = (
            each for each in self._build.sitemaps() if not any(map(self._discovery.is_known, each))
        )
        for addresses in chain(sitemaps, pages):
            if any(address in skipped for address in addresses):
                continue
            task = self._selection.select_built(addresses)
            if task is not None:
                yield task
