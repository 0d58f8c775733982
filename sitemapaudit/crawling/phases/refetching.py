"""Fetches carried pages in full: controls, and all pages of hosts whose 304 proved untrue."""

import logging
from collections.abc import AsyncIterator
from typing import Any, ClassVar

from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.crawling.revalidation import missing_controls, task_for
from sitemapaudit.items import Page, Revalidation
from sitemapaudit.runs.ledger.resuming import ResumedLedger, cooperatively

logger = logging.getLogger(__name__)


class Refetching(Phase):
    """Fetches missing controls, then the carried pages of hosts that are not trusted."""

    name: ClassVar = "pages that were not modified"

    def __init__(self, parts: Parts, intake: Intake) -> None:
        self._run = parts.run.folder
        self._hosts = parts.hosts.table
        self._fetches = parts.fetches
        self._intake = intake

    async def fetch(self) -> AsyncIterator[Any]:
        """Fetch these pages in full, except those that were before the run was resumed."""
        async for output in self._intake.fetch(missing_controls(self._hosts)):
            yield output
        if not await self._fetches.wait_until_idle():
            return
        if all(host.is_trusted for host in self._hosts):
            return
        ledger, number = ResumedLedger(self._run), 0
        fetched = {page.url async for page in cooperatively(ledger.rechecks())}
        async for page in cooperatively(ledger.pages()):
            if self._was_taken_over(page) and page.url not in fetched:
                number += 1
                async for output in self._intake.fetch([task_for(page)]):
                    yield output
        logger.info(
            "%d pages were fetched in full: the 304 responses of their hosts are untrue", number
        )

    def _was_taken_over(self, page: Page) -> bool:
        if page.revalidation is not Revalidation.NOT_MODIFIED:
            return False
        return not self._hosts.of(page.url).is_trusted
