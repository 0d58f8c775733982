"""Which sitemap is fetched next: a slow host holds up none but its own."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sitemapaudit import urls
from sitemapaudit.items import Source

AHEAD: Final = 8
"""Sitemaps that are under way at once, so that some are there when one was read."""

OF_A_HOST: Final = 4
"""Those among them that may be of one origin."""


@dataclass(slots=True, frozen=True)
class Found:
    """A sitemap to be read: where it was found, its depth, the addresses of the files above it."""

    url: str
    source: Source
    parent: str | None = None
    depth: int = 0
    trail: tuple[str, ...] = ()


class Queue:
    """Sitemaps that wait, in the order in which they were listed within each origin."""

    def __init__(self) -> None:
        self._lanes: dict[str, deque[Found]] = {}
        self._under_way: Counter[str] = Counter()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, found: Found) -> None:
        """Let a sitemap wait behind the others."""
        self._lane(found).append(found)
        self._size += 1

    def prepend(self, found: Sequence[Found]) -> None:
        """Let sitemaps wait in front of the others."""
        for each in reversed(found):
            self._lane(each).appendleft(each)
        self._size += len(found)

    def take(self) -> Found | None:
        """Return the next to be fetched; None if no origin has one and may be asked for it."""
        if self._under_way.total() >= AHEAD:
            return None
        for origin, lane in self._lanes.items():
            if self._under_way[origin] < OF_A_HOST:
                found = lane.popleft()
                if not lane:
                    del self._lanes[origin]
                self._under_way[origin] += 1
                self._size -= 1
                return found
        return None

    def done(self, found: Found) -> None:
        """Note that one that was taken is there, or failed."""
        self._under_way[urls.origin(found.url)] -= 1

    def _lane(self, found: Found) -> deque[Found]:
        return self._lanes.setdefault(urls.origin(found.url), deque())
