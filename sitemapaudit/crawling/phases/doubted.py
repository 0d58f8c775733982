"""Fetches pages again whose responses can belong to other requests."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

from sitemapaudit.crawling.doubts import Doubts
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.crawling.revalidation import task_for
from sitemapaudit.runs.ledger.resuming import ResumedLedger, cooperatively


class Doubted(Phase):
    """Fetches each of these pages on a connection without other requests."""

    name: ClassVar = "pages with doubtful responses"

    def __init__(self, parts: Parts, intake: Intake, doubts: Doubts) -> None:
        self._run = parts.run.folder
        self._intake = intake
        self._doubts = doubts

    async def fetch(self) -> AsyncIterator[Any]:
        """Fetch the pages, except those that were fetched twice already."""
        await self._doubts.wait()
        if not self._doubts:
            return
        ledger = ResumedLedger(self._run)
        fetched = {page.url async for page in cooperatively(ledger.rechecks())}
        async for page in cooperatively(ledger.pages()):
            if page.url in self._doubts and page.url not in fetched:
                async for output in self._intake.fetch([task_for(page)]):
                    yield output
