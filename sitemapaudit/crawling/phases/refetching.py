"""Fetches pages in full if the 304 responses of their host proved untrue."""

import logging
from collections.abc import AsyncIterator
from typing import Any, ClassVar

from sitemapaudit.crawling.fetch_task import FetchTask, FirstResult
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.crawling.revalidation import is_distrusted
from sitemapaudit.items import Page, Revalidation
from sitemapaudit.runs.ledger.resuming import ResumedLedger, cooperatively

logger = logging.getLogger(__name__)


class Refetching(Phase):
    """Fetches carried pages of distrusted hosts."""

    name: ClassVar = "pages with untrue 304 responses"

    def __init__(self, parts: Parts, intake: Intake) -> None:
        self._run = parts.run.folder
        self._hosts = parts.hosts.table
        self._intake = intake

    async def fetch(self) -> AsyncIterator[Any]:
        """Fetch these pages in full, except those that were before the run was resumed."""
        if not any(map(is_distrusted, self._hosts)):
            return
        ledger, number = ResumedLedger(self._run), 0
        fetched = {page.url async for page in cooperatively(ledger.rechecks())}
        async for page in cooperatively(ledger.pages()):
            if self._was_taken_over(page) and page.url not in fetched:
                number += 1
                async for output in self._intake.fetch([_task(page)]):
                    yield output
        logger.info(
            "%d pages were fetched in full: the 304 responses of their hosts are untrue", number
        )

    def _was_taken_over(self, page: Page) -> bool:
        if page.revalidation is not Revalidation.NOT_MODIFIED:
            return False
        return is_distrusted(self._hosts.of(page.url))


def _task(page: Page) -> FetchTask:
    first = FirstResult(page.verdict, page.status, page.error, page.retries, was_carried=True)
    return FetchTask(page.url, page.role, page.via, first=first)
