"""The order in which sitemaps are fetched: a slow host delays only its own sitemaps."""

from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.items import SitemapSource

MAX_IN_FLIGHT: Final = 8
"""Sitemaps that are fetched at once, so that the next is there when one has been read."""

MAX_IN_FLIGHT_PER_ORIGIN: Final = 4
"""Sitemaps of one origin that are fetched concurrently."""


class SitemapTask(Struct, frozen=True):
    """A sitemap to read: how it was discovered, its depth, and the URLs of the files above it."""

    url: str
    source: SitemapSource
    parent: str | None = None
    depth: int = 0
    ancestors: tuple[str, ...] = ()


class SitemapQueue:
    """The waiting sitemaps, per origin in the order in which they were listed."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[SitemapTask]] = {}
        self._in_flight: Counter[str] = Counter()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, task: SitemapTask) -> None:
        """Add a sitemap at the end."""
        self._tasks_of(task).append(task)
        self._size += 1

    def prepend(self, tasks: Sequence[SitemapTask]) -> None:
        """Add sitemaps at the front."""
        for task in reversed(tasks):
            self._tasks_of(task).appendleft(task)
        self._size += len(tasks)

    def take(self) -> SitemapTask | None:
        """Return the next sitemap to fetch; None if limits are reached or nothing waits."""
        if self._in_flight.total() >= MAX_IN_FLIGHT:
            return None
        for origin, waiting in self._waiting.items():
            if self._in_flight[origin] < MAX_IN_FLIGHT_PER_ORIGIN:
                task = waiting.popleft()
                if not waiting:
                    del self._waiting[origin]
                self._in_flight[origin] += 1
                self._size -= 1
                return task
        return None

    def finish(self, task: SitemapTask) -> None:
        """Record that a sitemap arrived or failed."""
        self._in_flight[urls.origin(task.url)] -= 1

    def _tasks_of(self, task: SitemapTask) -> deque[SitemapTask]:
        return self._waiting.setdefault(urls.origin(task.url), deque())
