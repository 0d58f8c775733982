"""Scrapy's core stats; the downloader and the pipeline count responses and items themselves."""

from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.extensions.corestats import CoreStats as ScrapyCoreStats

from sitemapaudit.engine.audits import config_of


class CoreStats(ScrapyCoreStats):
    """Records times, the finish reason, and dropped items.

    With a receiver, Scrapy would create a task for each item.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the extension. Raises NotConfigured if the spider is not an audit."""
        config_of(crawler)
        extension = cls(crawler.stats)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        crawler.signals.connect(extension.item_dropped, signal=signals.item_dropped)
        return extension
