"""The robots.txt of every host: read once, before anything else is asked of it."""

from __future__ import annotations

import asyncio
from typing import Final

from sitemapaudit import urls
from sitemapaudit.answer import Answer
from sitemapaudit.config import Config
from sitemapaudit.crawling.fetching import Fetcher
from sitemapaudit.crawling.pace import Pace
from sitemapaudit.items import Error, Permission, Robots
from sitemapaudit.robots import MAX_HOPS, Policy, read_robots, restored_policy

ROBOTS_PATH: Final = "/robots.txt"


def robots_url(origin: str) -> str:
    """Return the address of the robots.txt of an origin (RFC 9309 section 2.3)."""
    return f"{origin}{ROBOTS_PATH}"


class Hosts:
    """What is known of each origin: its robots.txt, and what that allows to the agent.

    ``audited`` origins and those of declared sitemaps are ``judged``; any
    other is one of at most so many as the settings allow.
    """

    def __init__(self, config: Config, fetcher: Fetcher, pace: Pace) -> None:
        self.audited: set[str] = set()
        self.judged: set[str] = set()
        self._agent = config.arguments.agent
        self._max_others = config.settings.max_hosts
        self._fetcher = fetcher
        self._pace = pace
        self._policies: dict[str, Policy] = {}
        self._robots: dict[str, Robots] = {}
        self._others: set[str] = set()
        self._locks: dict[str, asyncio.Lock] = {}

    def restore(self, row: Robots) -> None:
        """Take over a robots.txt that was read before the run was resumed."""
        if not row.judged:
            self.admit(row.site)
        self._policies[row.site] = restored_policy(row)
        self._robots[row.site] = row

    def row(self, origin: str) -> Robots | None:
        """Return the row of the robots.txt of an origin, if it was read."""
        return self._robots.get(origin)

    def policy(self, origin: str) -> Policy | None:
        """Return what the robots.txt of an origin allows; None if it was not read yet."""
        return self._policies.get(origin)

    def admit(self, origin: str) -> bool:
        """Whether an origin may be asked at all: an audited one, or one of so many others."""
        if origin in self.audited or origin in self._others:
            return True
        if len(self._others) >= self._max_others:
            return False
        self._others.add(origin)
        return True

    async def read(self, origin: str) -> Robots | None:
        """Ask for the robots.txt of an origin; return its row, unless it was read before."""
        async with self._locks.setdefault(origin, asyncio.Lock()):
            if origin in self._policies:
                return None
            request = self._fetcher.robots_request(robots_url(origin))
            return await self.open(origin, await self._fetcher.fetch(request))

    async def open(self, origin: str, first: Answer) -> Robots | None:
        """Take over the first answer for a robots.txt, following its redirects."""
        ask = self._fetcher.robots_request
        followed = await self._fetcher.follow(first, ask, MAX_HOPS, _none)
        if origin in self._policies:
            return None
        row = Robots(origin, robots_url(origin), origin in self.judged, hops=followed.hops)
        row.final_url = followed.answer.url if followed.answer.status is not None else None
        self._policies[origin] = policy = read_robots(followed.answer, row)
        self._pace.keep_to(origin, policy.crawl_delay(self._agent))
        self._robots[origin] = row
        return row

    def allows(self, url: str) -> bool | None:
        """Whether the agent may ask for a URL of an origin that was read; None if unreachable."""
        return self._policies[urls.origin(url)].allows(url, self._agent)

    def obstacle(self, url: str) -> tuple[Error | None, str] | None:
        """Say why a URL of an origin that was read is not to be asked for; None if it may be.

        Without an error it is robots.txt that forbids the URL; with one, it is
        robots.txt that could not be had.
        """
        if self.allows(url):
            return None
        row = self._robots[urls.origin(url)]
        if row.permission is Permission.UNREACHABLE:
            return row.error, f"robots.txt: {row.error_detail}"
        if row.permission is Permission.NONE:
            return None, f"robots.txt answers {row.status}, which forbids everything"
        return None, f"robots.txt disallows it for {self._agent}"


async def _none(_: str) -> None:
    """Refuse nothing: robots.txt itself may always be asked for."""
