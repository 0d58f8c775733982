"""The interface of what leads a crawl to its entries: sitemaps, an earlier run, or a list."""

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Protocol

from sitemapaudit.config import Site
from sitemapaudit.items import Robots, Sitemap


class EntrySource(Protocol):
    """Yields the rows of robots.txt files and sitemaps, and the entries."""

    def restore(self, row: Sitemap, children: list[str]) -> None:
        """Take over a sitemap that was read before the run was resumed."""

    def start(self, sites: Iterable[Site], given: Iterable[str]) -> AsyncIterator[Robots]:
        """Yield the robots.txt of each site; then the audited origins are known."""

    def is_known(self, url: str) -> bool:
        """Return whether a URL is that of a sitemap."""

    def read_sitemaps(self) -> AsyncIterator[Any]:
        """Yield the sitemaps and their entries."""

    def listed_elsewhere(self) -> Iterator[str]:
        """Yield the listed URLs of other shards, unless their entries were yielded."""
