"""Scrapy's feeds, with the verdicts and findings of an audit.

A feed can contain rows as they are read (``Robots``, ``Sitemap``, ``Entry``, ``Page``,
``Rendering``, ``MediaFile``), and the results at the end: ``Url`` (the verdicts) and ``Finding``.
Choose by ``item_classes``, or by the name of the file: pages.jsonl contains pages. Without a
choice, a feed contains every type.
"""

import re
from pathlib import Path, PurePosixPath
from typing import Final, Self
from urllib.parse import urlsplit

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.extensions.feedexport import FeedExporter, ItemFilter

from sitemapaudit.engine.signals import audit_finished
from sitemapaudit.items.schema import LEDGER_TABLES, TABLES
from sitemapaudit.runs.manifest import Manifest, Status

_NAMED: Final = {**LEDGER_TABLES, **TABLES}


class AuditFeedExporter(FeedExporter):
    """Scrapy's feeds, with the same destinations, formats and batches."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        for uri, options in self.feeds.items():
            item = item_for_feed(uri)
            if item and not options.get("item_classes") and "item_filter" not in options:
                self.filters[uri] = ItemFilter({"item_classes": [item]})

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the extension and connect it to the signals of a crawl."""
        feeds = cls(crawler)
        crawler.signals.connect(feeds.open_spider, signals.spider_opened)
        crawler.signals.connect(feeds.item_scraped, signals.item_scraped)
        crawler.signals.connect(feeds.add_results, audit_finished)
        return feeds

    def open_spider(self, spider: Spider) -> None:
        """Open the feeds, to be closed after the tables are built."""
        super().open_spider(spider)
        # Receivers are called in the order in which they connect; the pipeline, which builds the
        # tables, has already connected.
        self.crawler.signals.connect(self.close_spider, signals.spider_closed)

    def add_results(self, run: Path, manifest: Manifest) -> None:
        """Export the results of a run that did not finish: no other component gets them."""
        if manifest.status is not Status.FINISHED:
            from sitemapaudit.datasets.result_rows import result_rows  # noqa: PLC0415

            for row in result_rows(run):
                self.item_scraped(row, self.crawler.spider)  # type: ignore[arg-type]


def item_for_feed(uri: str) -> type | None:
    """Return the type of item that the file name of a feed chooses; None if it chooses none.

    The file name begins with the name of a table.
    """
    first_word = re.split("[^a-z]", PurePosixPath(urlsplit(uri).path).name)[0]
    return _NAMED.get(first_word)
