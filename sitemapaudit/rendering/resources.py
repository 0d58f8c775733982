"""What a page may load: what can change its text, and what robots.txt does not forbid."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from sitemapaudit import urls
from sitemapaudit.crawling.hosts import Hosts
from sitemapaudit.items import Robots

IDLE: Final = frozenset({"image", "font", "media"})
"""Types of what only shows: it is never loaded."""

NEEDED: Final = frozenset({"script", "xhr", "fetch", "document"})
"""Types of what can change the text of a page."""

MAX_REQUESTS: Final = 500
"""Requests of one page that are let through."""


class Decision(Enum):
    """What becomes of a request."""

    LOAD = auto()
    IDLE = auto()
    BLOCKED = auto()
    REFUSED = auto()


class Resources:
    """Decides of each request of a page; reads the robots.txt of hosts that it meets first.

    ``robots`` are the rows of those, to be written down by whoever takes them.
    """

    def __init__(self, hosts: Hosts, max_hosts: int) -> None:
        self.robots: list[Robots] = []
        self._hosts = hosts
        self._max_hosts = max_hosts
        self._met: set[str] = set()

    async def decide(self, url: str, kind: str) -> Decision:
        """Say what becomes of a request for a resource of a kind, in the words of the browser."""
        if kind in IDLE:
            return Decision.IDLE
        normal = urls.normalise(url)
        if normal is None:
            return Decision.REFUSED
        origin = urls.origin(normal)
        if self._hosts.policy(origin) is None and not await self._meet(origin):
            return Decision.REFUSED
        allowed = self._hosts.allows(normal)
        if allowed is None:
            return Decision.REFUSED
        return Decision.LOAD if allowed else Decision.BLOCKED

    async def _meet(self, origin: str) -> bool:
        """Read the robots.txt of an origin, unless there were too many."""
        if origin not in self._met and len(self._met) >= self._max_hosts:
            return False
        self._met.add(origin)
        row = await self._hosts.read(origin)
        if row is not None:
            self.robots.append(row)
        return True
