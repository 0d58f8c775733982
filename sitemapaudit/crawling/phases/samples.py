"""Samples: the listed URLs to fetch or render, if not all are."""

import logging
from collections.abc import AsyncIterator
from typing import Any, ClassVar, Final

from msgspec.structs import replace

from sitemapaudit.crawling.hooks import PageRenderer
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.ledger_queries import query_in_thread
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.datasets.samples.sampling import (
    SampleChoice,
    draw_more,
    draw_sample,
    listed_urls,
)

logger = logging.getLogger(__name__)

_FAILURE: Final = "the sample cannot be drawn"


class Samples(Phase):
    """Draws samples from the ledger of a run, which contains every entry by now.

    Drawing takes seconds on large sites, so it runs in a thread.
    """

    name: ClassVar = "the sample"

    def __init__(self, parts: Parts, intake: Intake, renderer: PageRenderer | None) -> None:
        settings = parts.config.settings
        self._arguments = parts.config.arguments
        self._memory = settings.memory
        pages = parts.config.arguments.pages
        self._choice = SampleChoice.read(pages, settings.seed, settings.max_urls)
        self._seed = settings.seed
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
        if self._choice is not None and self._choice.margin is None:
            yield await self._draw(self._choice)
            return
        if self._choice is not None:
            async for batch in self._watched(self._choice):
                yield batch
            return
        batches = listed_urls(self._run, self._memory)
        while (batch := await query_in_thread(_FAILURE, next, batches, None)) is not None:
            yield batch

    async def _watched(self, choice: SampleChoice) -> AsyncIterator[list[str]]:
        """Yield batches, each after the previous one is fetched, until the sample is large."""
        drawn = 0
        while batch := await self._draw_more(choice, drawn):
            yield batch
            drawn += len(batch)
            if not await self._fetches.wait_until_idle():
                return
        logger.info("the sample for %s has %d pages", choice.margin, drawn)

    async def _rendered(self, size: int) -> list[str]:
        """Return the URLs to render, a part of the fetched ones."""
        pages = self._choice or SampleChoice(size, seed=self._seed)
        if pages.margin:
            # More than half of each sample is a uniform draw.
            pages = replace(pages, size=2 * size, margin=None)
        return (await self._draw(pages))[:size]

    async def _draw(self, choice: SampleChoice) -> list[str]:
        return await query_in_thread(_FAILURE, draw_sample, self._run, choice, self._memory)

    async def _draw_more(self, choice: SampleChoice, drawn: int) -> list[str]:
        return await query_in_thread(_FAILURE, draw_more, self._run, choice, drawn, self._memory)
