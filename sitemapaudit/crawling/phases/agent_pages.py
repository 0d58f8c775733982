"""Pages that only agents other than the first may fetch: each is fetched once.

Their links are not followed: the first agent does not see them.
"""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.items import Page, Role
from sitemapaudit.runs.ledger.resuming import ResumedLedger, cooperatively


class AgentPages(Phase):
    """Fetches pages that only agents other than the first may fetch."""

    name: ClassVar = "pages for other crawlers"

    def __init__(self, parts: Parts, intake: Intake) -> None:
        self._run = parts.run.folder
        self._hosts = parts.hosts
        self._intake = intake

    async def fetch(self) -> AsyncIterator[Any]:
        """Fetch unfetched pages of the ledger that another agent may fetch."""
        ledger = ResumedLedger(self._run)
        fetched = {page.url async for page in cooperatively(ledger.agent_pages())}
        async for page in cooperatively(ledger.pages()):
            if self._is_wanted(page) and page.url not in fetched:
                task = FetchTask(page.url, for_others=True)
                async for output in self._intake.fetch([task]):
                    yield output

    def _is_wanted(self, page: Page) -> bool:
        if page.role is not Role.LISTED or page.allowed is not False:
            return False
        return self._hosts.allows_another(page.url)
