"""The way of items to the pipelines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sitemapaudit.engine.private_api import only_pipeline, send_to_pipelines
from sitemapaudit.items import Entries
from sitemapaudit.runs.ledger.records import ReadItem

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.runs.audit_run import AuditRun


async def process_item(crawler: Crawler, item: Any) -> None:
    """Pass an item to the pipelines.

    If no other component sees items, the pipeline of the audit is called directly: through Scrapy,
    an item takes half as long again. Otherwise each row passes through all pipelines.
    """
    process = only_pipeline(crawler)
    if process is not None:
        process(item)
        return
    run: AuditRun = crawler.spider.run  # type: ignore[union-attr]
    for row in _rows(item, run):
        try:
            await send_to_pipelines(crawler, row)
        finally:
            run.read_items.pop(id(row), None)


def _rows(item: Any, run: AuditRun) -> Iterator[Any]:
    """Yield the rows of an item; leave what belongs to them to the run."""
    if isinstance(item, Entries):
        yield from item.rows
    elif isinstance(item, ReadItem):
        run.read_items[id(item.item)] = item
        yield item.item
    else:
        yield item
