"""Scrapy's feeds, with the verdicts and findings of an audit.

A feed can contain rows as they are read (``Robots``, ``Sitemap``, ``Entry``, ``Page``,
``Rendering``, ``MediaFile``), and the results at the end: ``Url`` (the verdicts) and ``Finding``.
Choose by ``item_classes``, or by the name of the file: pages.jsonl contains pages. Without a
choice, a feed contains every type.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self
from urllib.parse import urlsplit

import msgspec
from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.extensions.feedexport import FeedExporter, ItemFilter

from sitemapaudit.engine.signals import audit_finished
from sitemapaudit.items import Entries
from sitemapaudit.items.schema import LEDGER_TABLES, TABLES, Column, columns
from sitemapaudit.runs.folders import table_file

RESULT_TABLES: Final = ("urls", "findings")
"""Tables that exist only at the end of a run."""

_NAMED: Final = {**LEDGER_TABLES, **TABLES}
_BATCH: Final = 1_000


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

    def item_scraped(self, item: Any, spider: Spider | None) -> None:
        """Export an item, or each entry of a batch."""
        assert spider
        for row in item.rows if isinstance(item, Entries) else (item,):
            super().item_scraped(row, spider)

    def add_results(self, run: Path) -> None:
        """Export the verdicts and findings of a run whose tables exist."""
        for table in RESULT_TABLES:
            if table_file(run, table).exists():
                for row in _rows(run, table):
                    self.item_scraped(row, self.crawler.spider)


def item_for_feed(uri: str) -> type | None:
    """Return the type of item that the file name of a feed chooses; None if it chooses none.

    The file name begins with the name of a table.
    """
    first_word = re.split("[^a-z]", PurePosixPath(urlsplit(uri).path).name)[0]
    return _NAMED.get(first_word)


def _rows(run: Path, table: str) -> Iterator[Any]:
    """Yield the rows of a table as items."""
    from sitemapaudit.datasets.database import connect, create_table_views  # noqa: PLC0415

    item = TABLES[table]
    names = [column.name for column in columns(item)]
    values = ", ".join(_select(column) for column in columns(item))
    with connect() as connection:
        create_table_views(connection, run, [table])
        found = connection.execute(f"select {values} from {table}")  # noqa: S608 - our own names
        while rows := found.fetchmany(_BATCH):
            for row in rows:
                yield msgspec.convert(dict(zip(names, row, strict=True)), item)


def _select(column: Column) -> str:
    """Return the SQL for a column; times as text, because items are read from text."""
    if column.type == "TIMESTAMPTZ":
        return f"strftime({column.name}, '%Y-%m-%dT%H:%M:%S.%fZ')"
    return column.name
