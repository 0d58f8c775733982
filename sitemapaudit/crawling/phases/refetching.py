"""Pages that a server called not modified are fetched in full if it is not to be believed."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemapaudit.crawling.fetch_task import FetchTask, FirstResult
from sitemapaudit.crawling.idling import wait_until_idle
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.items import Page, Revalidation
from sitemapaudit.runs.resuming import ResumedLedger, cooperatively

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


async def refetch(
    crawler: Crawler, run: Path, crawl: PageCrawl, intake: Intake
) -> AsyncIterator[Any]:
    """Fetch what was taken over from hosts that are not believed, when all else was fetched."""
    distrust = crawl.distrust
    if distrust is None or not await wait_until_idle(crawler, lambda: crawl.is_idle):
        return
    if not distrust.concerns_any:
        return
    ledger, number = ResumedLedger(run), 0
    fetched = {page.url async for page in cooperatively(ledger.rechecks())}
    async for page in cooperatively(ledger.pages()):
        if _was_taken_over(page) and distrust.concerns(page.url) and page.url not in fetched:
            number += 1
            async for output in intake.fetch([_task(page)]):
                yield output
    logger.info(
        "%d pages were fetched in full: the 304 responses of their hosts are untrue", number
    )


def _was_taken_over(page: Page) -> bool:
    return page.revalidation is Revalidation.NOT_MODIFIED


def _task(page: Page) -> FetchTask:
    first = FirstResult(page.verdict, page.status, page.error, page.retries, was_carried=True)
    return FetchTask(page.url, page.role, page.via, first=first)
