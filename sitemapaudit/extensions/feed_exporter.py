"""Scrapy's feeds, with the verdicts and findings of an audit.

A feed can contain rows as they are read (``Robots``, ``Sitemap``, ``Entry``, ``Page``,
``Rendering``, ``MediaFile``), and the results at the end: ``Url`` (the verdicts) and ``Finding``.
Choose by ``item_classes``, or by the name of the file: pages.jsonl contains pages. Without a
choice, a feed contains every type.
"""

import logging
import re
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self
from urllib.parse import urlsplit

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.extensions.feedexport import FeedExporter, FeedSlot, ItemFilter

from sitemapaudit.engine.signals import audit_finished
from sitemapaudit.items.schema import LEDGER_TABLES, TABLES
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.runs import stats
from sitemapaudit.runs.manifest import INCOMPLETE, Manifest, Status

logger = logging.getLogger(__name__)

_UNSTORED: Final = "feedexport/failed_count/"
"""The beginning of the names of Scrapy's stats of feeds that could not be stored."""

_NAMED: Final = {**LEDGER_TABLES, **TABLES}


class AuditFeedExporter(FeedExporter):
    """Scrapy's feeds, with the same destinations, formats and batches."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._failed: dict[str, str] = {}
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

    def item_scraped(self, item: Any, spider: Spider) -> None:
        """Write an item to each feed; a feed that fails ends, and affects no other."""
        slots, self.slots = self.slots, []
        kept: list[FeedSlot] = []
        for slot in slots:
            self.slots = [slot]
            try:
                super().item_scraped(item, spider)
            except Exception as error:
                self._failed[slot.uri] = f"{type(error).__name__}: {error}"
                logger.exception("The feed %s ends, because it cannot be written", slot.uri)
            else:
                kept += self.slots
        self.slots = kept

    async def close_spider(self, spider: Spider) -> None:
        """Store the feeds; the work of a run without one of its feeds is not complete."""
        await super().close_spider(spider)
        counts = self.crawler.stats.get_stats().items()
        unstored = sum(number for name, number in counts if name.startswith(_UNSTORED))
        if not self._failed and not unstored:
            return
        number = count_noun(len(self._failed) + unstored, "feed")
        reasons = "; ".join(f"{hide_passwords(uri)}: {why}" for uri, why in self._failed.items())
        say(f"{number} could not be written: {reasons or 'see crawl.log'}.", error=True)
        self.crawler.stats.set_value(stats.EXIT_STATUS, INCOMPLETE)

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
