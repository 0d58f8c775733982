"""Scrapy's core stats; the downloader and the pipeline count responses and items themselves."""

from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.extensions.corestats import CoreStats as ScrapyCoreStats


class CoreStats(ScrapyCoreStats):
    """Records times, the reason of the end, and dropped items.

    With a receiver, Scrapy makes a task for each item that it announces.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the extension; an audit announces responses and items only to others."""
        if not hasattr(crawler.spider, "config"):
            return super().from_crawler(crawler)
        extension = cls(crawler.stats)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        crawler.signals.connect(extension.item_dropped, signal=signals.item_dropped)
        return extension
