"""Pages whose responses can belong to other requests."""

import logging

from scrapy.crawler import Crawler

from sitemapaudit.engine.signals import responses_doubted
from sitemapaudit.urls.url_set import UrlSet

logger = logging.getLogger(__name__)


class Doubts:
    """Collects the URLs of doubted responses until their pages are fetched again."""

    def __init__(self, crawler: Crawler) -> None:
        self._urls = UrlSet()
        crawler.signals.connect(self.add, signal=responses_doubted)

    def __len__(self) -> int:
        return len(self._urls)

    def __contains__(self, url: str) -> bool:
        return url in self._urls

    def add(self, urls: list[str]) -> None:
        """Add the URLs of a connection on which a server sent another response."""
        logger.warning(
            "A server sent a response without a request; %d pages are fetched again", len(urls)
        )
        for url in urls:
            self._urls.add(url)
