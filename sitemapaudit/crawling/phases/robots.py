"""The robots.txt of each site; after this phase, the audited origins are known."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

from sitemapaudit.config import Scope
from sitemapaudit.crawling.entry_source import EntrySource
from sitemapaudit.crawling.phases.phase import Phase


class SiteRobots(Phase):
    """Reads the robots.txt of each site, and finds its sitemaps."""

    name: ClassVar = "robots.txt"

    def __init__(self, scope: Scope, discovery: EntrySource) -> None:
        self._scope = scope
        self._discovery = discovery

    async def fetch(self) -> AsyncIterator[Any]:
        """Yield the row of each robots.txt."""
        async for robots in self._discovery.start(self._scope.sites, self._scope.sitemaps):
            yield robots
