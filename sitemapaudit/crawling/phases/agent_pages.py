"""Pages that the first agent may not fetch, and another one may: each is fetched once.

They come last, and lead nowhere: for the first agent, nothing of them is known.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapaudit.config import Config
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.idling import wait_until_idle
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.items import Page, Role
from sitemapaudit.runs.resuming import ResumedLedger, cooperatively

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class AgentPages:
    """Fetches what only other agents than the first may fetch."""

    def __init__(self, crawler: Crawler, config: Config, hosts: Hosts, crawl: PageCrawl) -> None:
        self._crawler = crawler
        self._is_needed = bool(config.other_agents)
        self._hosts = hosts
        self._crawl = crawl

    async def fetch(self, run: Path, intake: Intake) -> AsyncIterator[Any]:
        """Fetch the pages of the ledger that were not fetched, and that another agent may fetch."""
        if not self._is_needed:
            return
        if not await wait_until_idle(self._crawler, lambda: self._crawl.is_idle):
            return
        ledger = ResumedLedger(run)
        fetched = {page.url async for page in cooperatively(ledger.agent_pages())}
        async for page in cooperatively(ledger.pages()):
            if self._is_wanted(page) and page.url not in fetched:
                async for output in intake.fetch([FetchTask(page.url, for_others=True)]):
                    yield output

    def _is_wanted(self, page: Page) -> bool:
        if page.role is not Role.LISTED or page.allowed is not False:
            return False
        return self._hosts.allows_another(page.url)
