"""The resources that a page may load: they can change its text, and robots.txt allows them."""

from enum import Enum, auto
from typing import Final

from sitemapaudit import urls
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.items import Robots

VISUAL: Final = frozenset({"image", "font", "media"})
"""Types of purely visual resources, which are never loaded."""

NEEDED: Final = frozenset({"script", "xhr", "fetch", "document"})
"""Types of resources that can change the text of a page."""

MAX_REQUESTS: Final = 500
"""The limit for requests of a page."""


class Decision(Enum):
    """The decision about a request."""

    LOAD = auto()
    VISUAL = auto()
    BLOCKED = auto()
    REFUSED = auto()


class ResourcePolicy:
    """Decides about the requests of a page; reads the robots.txt of new hosts first.

    ``robots`` keeps their rows until the caller takes them.
    """

    def __init__(self, hosts: Hosts, max_hosts: int) -> None:
        self.robots: list[Robots] = []
        self._hosts = hosts
        self._max_hosts = max_hosts
        self._new: set[str] = set()

    async def decide(self, url: str, kind: str) -> Decision:
        """Decide about a request for a resource; ``kind`` is the browser's resource type."""
        if kind in VISUAL:
            return Decision.VISUAL
        normal = urls.normalize(url)
        if normal is None:
            return Decision.REFUSED
        if not await self._read_robots(urls.origin(normal)):
            return Decision.REFUSED
        allowed = self._hosts.allows(normal)
        if allowed is None:
            return Decision.REFUSED
        return Decision.LOAD if allowed else Decision.BLOCKED

    async def _read_robots(self, origin: str) -> bool:
        """Read the robots.txt of an origin; return False if there are too many origins."""
        if not self._hosts.table.has_origin(origin):
            if len(self._new) >= self._max_hosts:
                return False
            self._new.add(origin)
        row = await self._hosts.read(self._hosts.origin(origin))
        if row is not None:
            self.robots.append(row)
        return True
