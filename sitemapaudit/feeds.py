"""Scrapy's feeds, with what an audit has beside the items that go by.

A feed can hold what is read, as it is read: ``Robots``, ``Sitemap``, ``Entry``,
``Page``, ``Rendering``; and what is known once the tables stand: ``Url`` (the
verdicts) and ``Finding``. ``item_classes`` choose among them, or the name of
the file does: pages.jsonl holds pages. A feed that does not choose gets all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import urlsplit

import msgspec
from scrapy import signals
from scrapy.extensions.feedexport import FeedExporter, ItemFilter

from sitemapaudit.datasets.database import connect, table_file, view_tables
from sitemapaudit.datasets.schema import LEDGER_TABLES, TABLES, Column, columns
from sitemapaudit.items import Entries
from sitemapaudit.pipelines import audit_finished

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

LATE_TABLES: Final = ("urls", "findings")
"""What is known only once the tables stand."""

_NAMED: Final = {**LEDGER_TABLES, **TABLES}
_BATCH: Final = 1_000


class Feeds(FeedExporter):
    """Scrapy's own feeds: where they go, in which formats and batches, is Scrapy's affair."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        for uri, options in self.feeds.items():
            item = named_item(uri)
            if item and not options.get("item_classes") and "item_filter" not in options:
                self.filters[uri] = ItemFilter({"item_classes": [item]})

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect to the signals of a crawl."""
        feeds = cls(crawler)
        crawler.signals.connect(feeds.open_spider, signals.spider_opened)
        crawler.signals.connect(feeds.item_scraped, signals.item_scraped)
        crawler.signals.connect(feeds.add_results, audit_finished)
        return feeds

    def open_spider(self, spider: Spider) -> None:
        """Open the feeds, to be closed when the tables stand."""
        super().open_spider(spider)
        # Who connects first is called first, and by now the pipeline has: it builds the tables.
        self.crawler.signals.connect(self.close_spider, signals.spider_closed)

    def item_scraped(self, item: Any, spider: Spider | None) -> None:
        """Export an item; entries, which travel together, one by one."""
        assert spider
        for row in item.rows if isinstance(item, Entries) else (item,):
            super().item_scraped(row, spider)

    def add_results(self, run: Path) -> None:
        """Export the verdicts and the findings of a run whose tables stand."""
        for table in LATE_TABLES:
            if table_file(run, table).exists():
                for row in _rows(run, table):
                    self.item_scraped(row, self.crawler.spider)


def named_item(uri: str) -> type | None:
    """Return what a feed holds by the name of its file: that begins with the name of a table."""
    first_word = re.split("[^a-z]", PurePosixPath(urlsplit(uri).path).name)[0]
    return _NAMED.get(first_word)


def _rows(run: Path, table: str) -> Iterator[Any]:
    """Yield the rows of a table as items."""
    item = TABLES[table]
    names = [column.name for column in columns(item)]
    values = ", ".join(_value(column) for column in columns(item))
    with connect() as connection:
        view_tables(connection, run, [table])
        found = connection.execute(f"select {values} from {table}")  # noqa: S608 - our own names
        while rows := found.fetchmany(_BATCH):
            for row in rows:
                yield msgspec.convert(dict(zip(names, row, strict=True)), item)


def _value(column: Column) -> str:
    """Return a column as it can be had: times as text, since DuckDB needs pytz for them."""
    if column.type == "TIMESTAMPTZ":
        return f"strftime({column.name}, '%Y-%m-%dT%H:%M:%S.%fZ')"
    return column.name
