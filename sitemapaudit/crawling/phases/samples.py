"""Samples: the listed URLs to fetch or render, if not all are."""

import logging
from collections.abc import AsyncIterator
from typing import Any, ClassVar, Final

from sitemapaudit.bounds.margin import Margin
from sitemapaudit.crawling.hooks import PageRenderer
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.ledger_queries import query_in_thread
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.datasets.samples.sampling import draw_more, draw_sample, listed_urls

logger = logging.getLogger(__name__)

_FAILURE: Final = "the sample cannot be drawn"


class Samples(Phase):
    """Draws samples from the ledger of a run, which contains every entry by now.

    Drawing takes seconds on large sites, so it runs in a thread.
    """

    name: ClassVar = "the sample"

    def __init__(self, parts: Parts, intake: Intake, renderer: PageRenderer | None) -> None:
        self._arguments = parts.config.arguments
        self._settings = parts.config.settings
        self._run = parts.run.folder
        self._fetches = parts.fetches
        self._intake = intake
        self._renderer = renderer

    async def fetch(self) -> AsyncIterator[Any]:
        """Draw the samples of ``pages`` and ``render``, and fetch the pages."""
        if self._renderer is not None and isinstance(self._arguments.render, int):
            sample = await self._rendered(self._arguments.render)
            self._renderer.take_sample(frozenset(sample))
        async for batch in self._pages():
            async for output in self._intake.fetch_listed(batch):
                yield output

    async def _pages(self) -> AsyncIterator[list[str]]:
        """Yield the URLs to fetch in batches: all of them without a sample."""
        pages = self._arguments.pages
        if isinstance(pages, int):
            yield await self._draw(pages)
            return
        if isinstance(pages, Margin):
            async for batch in self._watched(pages):
                yield batch
            return
        batches = listed_urls(self._run, self._settings.memory)
        while (batch := await query_in_thread(_FAILURE, next, batches, None)) is not None:
            yield batch

    async def _watched(self, margin: Margin) -> AsyncIterator[list[str]]:
        """Yield batches, each after the previous one is fetched, until the sample is large."""
        drawn = 0
        while batch := await self._draw_more(margin, drawn):
            yield batch
            drawn += len(batch)
            if not await self._fetches.wait_until_idle():
                return
        logger.info("%d pages were enough for %s", drawn, margin)

    async def _rendered(self, size: int) -> list[str]:
        """Return the URLs to render, a part of the fetched ones."""
        pages = self._arguments.pages
        if isinstance(pages, Margin):
            # More than half of each sample is a uniform draw.
            return (await self._draw(2 * size))[:size]
        return (await self._draw(pages if isinstance(pages, int) else size))[:size]

    async def _draw(self, size: int) -> list[str]:
        seed, memory = self._settings.seed, self._settings.memory
        return await query_in_thread(_FAILURE, draw_sample, self._run, size, seed, memory)

    async def _draw_more(self, margin: Margin, drawn: int) -> list[str]:
        seed, memory = self._settings.seed, self._settings.memory
        return await query_in_thread(_FAILURE, draw_more, self._run, margin, drawn, seed, memory)
