"""The phase that fetches failed pages once more: one failure is not proof."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.crawling.rechecks import Rechecks


class Recheck(Phase):
    """Fetches a sample of each failure again, and then the others if the sample differs."""

    name: ClassVar = "failed pages"

    def __init__(self, parts: Parts, rechecks: Rechecks, intake: Intake) -> None:
        self._fetches = parts.fetches
        self._rechecks = rechecks
        self._intake = intake

    async def fetch(self) -> AsyncIterator[Any]:
        """Recheck in rounds, until nothing is left to recheck."""
        while tasks := [*self._rechecks.next_tasks()]:
            async for output in self._intake.fetch(tasks):
                yield output
            if not await self._fetches.wait_until_idle():
                return
        self._rechecks.log_results()
