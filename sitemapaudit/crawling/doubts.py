"""URLs whose responses can belong to other requests."""

import asyncio
import logging
from typing import Final

from scrapy.crawler import Crawler

from sitemapaudit.engine.signals import responses_doubted
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.runs.audit_run import AuditRun
from sitemapaudit.urls.url_set import UrlSet

_LONGEST: Final = 1.0
"""The longest wait for a response without a request, in seconds."""

logger = logging.getLogger(__name__)


class Doubts:
    """Collects the URLs of doubted responses until they are fetched again."""

    def __init__(self, crawler: Crawler, run: AuditRun, fetcher: Fetcher) -> None:
        self._run = run
        self._fetcher = fetcher
        self._urls = UrlSet()
        for url in run.read_doubts():
            self._urls.add(url)
        crawler.signals.connect(self.add, signal=responses_doubted)

    def __len__(self) -> int:
        return len(self._urls)

    def __contains__(self, url: str) -> bool:
        return url in self._urls

    async def wait(self) -> None:
        """Wait until a response that nothing waits for has arrived, if a server sends one."""
        await asyncio.sleep(min(_LONGEST, 2 * self._fetcher.latency))

    def add(self, urls: list[str]) -> None:
        """Add the URLs of a connection on which a server sent another response."""
        logger.warning(
            "A server sent a response without a request; %d URLs are fetched again", len(urls)
        )
        self._run.note_doubts(urls)
        for url in urls:
            self._urls.add(url)
