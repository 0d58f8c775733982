"""Pages of a build folder that nothing led to."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, ClassVar

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.fetching.build_site import BuildSite
from sitemapaudit.items import Role


class Built(Phase):
    """Fetches the pages of a build that were not fetched yet, at their usual URLs."""

    name: ClassVar = "unlisted pages of the build"

    def __init__(self, build: BuildSite, crawl: PageCrawl, intake: Intake) -> None:
        self._build = build
        self._crawl = crawl
        self._intake = intake

    async def fetch(self) -> AsyncIterator[Any]:
        """Fetch the pages that were not selected at any of their URLs."""
        async for output in self._intake.fetch(self._crawl.select(self._tasks())):
            yield output

    def _tasks(self) -> Iterator[FetchTask]:
        for addresses in self._build.pages():
            if not any(map(self._crawl.selection.is_selected, addresses)):
                yield FetchTask(addresses[0], Role.BUILT)
