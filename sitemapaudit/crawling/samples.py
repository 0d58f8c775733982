"""Samples: which of the listed URLs are asked for or rendered, where not all are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sitemapaudit.config import Config
from sitemapaudit.datasets.sampling import draw_sample, listed_urls

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_PATIENCE: Final = 0.05


class Samples:
    """Draws from what the ledger of a run lists, in a thread: it takes seconds on large sites."""

    def __init__(self, crawler: Crawler, config: Config, run: Path) -> None:
        self._crawler = crawler
        self._settings = config.settings
        self._size = config.arguments.pages
        self._run = run

    async def ready(self) -> None:
        """Wait until all that was read is written."""
        slot = self._crawler.engine.scraper.slot
        while slot is not None and not slot.is_idle():  # noqa: ASYNC110 - Scrapy has no signal
            await asyncio.sleep(_PATIENCE)

    async def renderings(self, size: int) -> frozenset[str]:
        """Return the URLs that a browser is to open."""
        return frozenset(await self._draw(size))

    async def pages(self) -> AsyncIterator[list[str]]:
        """Yield the URLs that are to be asked for, in batches: all, if no number was given."""
        if isinstance(self._size, int):
            yield await self._draw(self._size)
            return
        batches = self._listed()
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            yield batch

    async def _draw(self, size: int) -> list[str]:
        seed, memory = self._settings.seed, self._settings.memory
        return await asyncio.to_thread(draw_sample, self._run, size, seed, memory)

    def _listed(self) -> Iterator[list[str]]:
        return listed_urls(self._run, self._settings.memory)
