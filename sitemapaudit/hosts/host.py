"""The state of a host, and of each of its origins."""

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct, field

from sitemapaudit import urls
from sitemapaudit.items import Page, Robots
from sitemapaudit.robots import Policy

_REMEMBERED: Final = 50
"""The last responses of a host, from which its refused share is computed."""


class Refusals(Struct, eq=False):
    """The last responses of a host, and whether each asked to wait.

    ``in_a_row`` counts the latest that did so without saying how long. The host rests until
    ``rested_until``, a monotonic time.
    """

    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    number: int = 0
    in_a_row: int = 0
    rested_until: float = 0.0

    @property
    def share(self) -> float:
        """The share that asked to wait; there must be responses."""
        return self.number / len(self.recent)

    def add(self, *, refused: bool) -> None:
        """Add a response, and drop the oldest if there are too many."""
        if len(self.recent) == _REMEMBERED:
            self.number -= self.recent[0]
        self.recent.append(refused)
        self.number += refused


class Host(Struct, eq=False):
    """A host name; Scrapy has one slot for all its origins.

    ``crawl_delay`` is the time between its requests in seconds, 0 without a valid one in
    robots.txt. ``in_flight`` counts requests with a slot of ours; those in ``waiting`` have none.
    ``fetching`` counts pages that this process fetches; those in ``held`` go to workers when it
    reaches 0. ``is_listed`` says that sitemaps list its pages.

    ``earlier`` has pages of an earlier run that are revalidated next; None has none to revalidate.
    ``controls`` counts its controls with a page, ``untrue`` those that differed, ``failed`` the
    controls without a page. ``carried`` are some of the
    pages that could become controls, by place and URL. Its 304 responses count while it
    ``is_trusted``.
    """

    name: str
    crawl_delay: float = 0.0
    refusals: Refusals = field(default_factory=Refusals)
    in_flight: int = 0
    waiting: deque[Any] = field(default_factory=deque)
    fetching: int = 0
    held: list[Any] = field(default_factory=list)
    is_listed: bool = False
    earlier: dict[str, Page | None] = field(default_factory=dict)
    controls: int = 0
    untrue: int = 0
    failed: int = 0
    carried: list[tuple[float, str, Page]] = field(default_factory=list)
    is_trusted: bool = True


class Origin(Struct, eq=False):
    """A scheme, host and port, with its own robots.txt.

    ``policy`` and ``row`` are None until its robots.txt was read; ``waiting`` are the tasks that
    wait for it, None until a page needs it. ``first_page`` is the first listed page
    that is fetched.
    """

    name: str
    host: Host
    policy: Policy | None = None
    row: Robots | None = None
    reading: asyncio.Future[Robots] | None = None
    is_reported: bool = False
    waiting: list[Any] | None = None
    first_page: str | None = None
    has_sitemap: bool = False
    is_compared: bool = False
    has_compared_canonicals: bool = False
    is_probed: bool = False


class HostTable:
    """Every known host and origin, by name."""

    def __init__(self) -> None:
        self._hosts: dict[str, Host] = {}
        self._origins: dict[str, Origin] = {}

    def __iter__(self) -> Iterator[Host]:
        return iter(self._hosts.values())

    def named(self, name: str) -> Host:
        """Return a host by its name; a new one if it is not known."""
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = Host(name)
        return host

    def of(self, url: str) -> Host:
        """Return the host of a URL."""
        return self.named(urls.host(url))

    def is_listed(self, name: str) -> bool:
        """Return whether sitemaps list pages of a host."""
        host = self._hosts.get(name)
        return host is not None and host.is_listed

    def has_origin(self, name: str) -> bool:
        """Return whether an origin is known."""
        return name in self._origins

    def origin(self, name: str) -> Origin:
        """Return an origin by its name; a new one if it is not known."""
        origin = self._origins.get(name)
        if origin is None:
            origin = self._origins[name] = Origin(name, self.of(f"{name}/"))
        return origin

    def origin_of(self, url: str) -> Origin:
        """Return the origin of a URL."""
        return self.origin(urls.origin(url))
