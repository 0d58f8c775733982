"""Samples: which of the listed URLs are fetched or rendered, if not all are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.config import Config
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.ledger_queries import in_thread
from sitemapaudit.crawling.private_api import scraper_is_idle
from sitemapaudit.datasets.sampling import draw_sample, listed_urls

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.crawling.rendering_hook import PageRenderer

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

    async def fetch(self, intake: Intake, renderer: PageRenderer | None) -> AsyncIterator[Any]:
        """Draw the samples that ``pages`` and ``render`` ask for, and request the pages."""
        while not scraper_is_idle(self._crawler):  # noqa: ASYNC110 - Scrapy has no signal
            await asyncio.sleep(_POLL)
        if renderer is not None and isinstance(self._arguments.render, int):
            renderer.take_sample(frozenset(await self._draw(self._arguments.render)))
        async for batch in self._pages():
            async for output in intake.fetch_listed(batch):
                yield output

    async def _pages(self) -> AsyncIterator[list[str]]:
        """Yield the URLs to fetch in batches: all if ``pages`` is not a number."""
        if isinstance(self._arguments.pages, int):
            yield await self._draw(self._arguments.pages)
            return
        batches = listed_urls(self._run, self._settings.memory)
        while (batch := await in_thread(_FAILURE, next, batches, None)) is not None:
            yield batch

    async def _draw(self, size: int) -> list[str]:
        seed, memory = self._settings.seed, self._settings.memory
        return await in_thread(_FAILURE, draw_sample, self._run, size, seed, memory)
