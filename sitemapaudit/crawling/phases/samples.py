"""Samples: which of the listed URLs are fetched or rendered, if not all are."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.bounds.margin import Margin
from sitemapaudit.config import Config
from sitemapaudit.crawling.idling import wait_until_idle
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.ledger_queries import in_thread
from sitemapaudit.datasets.sampling import draw_more, draw_sample, listed_urls
from sitemapaudit.engine.private_api import scraper_is_idle

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.crawling.page_crawl import PageCrawl
    from sitemapaudit.crawling.rendering_hook import PageRenderer

logger = logging.getLogger(__name__)

_POLL: Final = 0.05

_FAILURE: Final = "the sample cannot be drawn"


class Samples:
    """Draws samples from the ledger of a run, once every entry is in it.

    Drawing takes seconds on large sites, so it runs in a thread.
    """

    def __init__(self, crawler: Crawler, config: Config, run: Path) -> None:
        self._crawler = crawler
        self._arguments = config.arguments
        self._settings = config.settings
        self._run = run

    async def fetch(
        self, crawl: PageCrawl, intake: Intake, renderer: PageRenderer | None
    ) -> AsyncIterator[Any]:
        """Draw the samples that ``pages`` and ``render`` ask for, and request the pages."""
        while not scraper_is_idle(self._crawler):  # noqa: ASYNC110 - Scrapy has no signal
            await asyncio.sleep(_POLL)
        if renderer is not None and isinstance(self._arguments.render, int):
            renderer.take_sample(frozenset(await self._rendered(self._arguments.render)))
        async for batch in self._pages(crawl):
            async for output in intake.fetch_listed(batch):
                yield output

    async def _pages(self, crawl: PageCrawl) -> AsyncIterator[list[str]]:
        """Yield the URLs to fetch in batches: all if ``pages`` takes no sample."""
        pages = self._arguments.pages
        if isinstance(pages, int):
            yield await self._draw(pages)
            return
        if isinstance(pages, Margin):
            async for batch in self._watched(crawl, pages):
                yield batch
            return
        batches = listed_urls(self._run, self._settings.memory)
        while (batch := await in_thread(_FAILURE, next, batches, None)) is not None:
            yield batch

    async def _watched(self, crawl: PageCrawl, margin: Margin) -> AsyncIterator[list[str]]:
        """Yield more URLs, each time when the ones before were fetched, until they are enough."""
        drawn = 0
        while batch := await self._draw_more(margin, drawn):
            yield batch
            drawn += len(batch)
            if not await wait_until_idle(self._crawler, lambda: crawl.is_idle):
                return
        logger.info("%d pages were enough for %s", drawn, margin)

    async def _rendered(self, size: int) -> list[str]:
        """Return the URLs to render; they are among those that are fetched."""
        pages = self._arguments.pages
        if isinstance(pages, Margin):
            # More than half of a sample is a uniform draw, and the pages are one too.
            return (await self._draw(2 * size))[:size]
        return (await self._draw(pages if isinstance(pages, int) else size))[:size]

    async def _draw(self, size: int) -> list[str]:
        seed, memory = self._settings.seed, self._settings.memory
        return await in_thread(_FAILURE, draw_sample, self._run, size, seed, memory)

    async def _draw_more(self, margin: Margin, drawn: int) -> list[str]:
        seed, memory = self._settings.seed, self._settings.memory
        return await in_thread(_FAILURE, draw_more, self._run, margin, drawn, seed, memory)
