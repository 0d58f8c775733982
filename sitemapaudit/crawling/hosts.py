"""The robots.txt of each origin: read once, before anything else of the origin is fetched."""

from __future__ import annotations

import asyncio
from typing import Final

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.crawling.fetcher import Fetcher
from sitemapaudit.crawling.pace import Pace
from sitemapaudit.crawling.reading_thread import ReadingThread
from sitemapaudit.http.redirects import ROBOTS_MAX_HOPS
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Permission, Robots
from sitemapaudit.robots import Policy, read_robots, restore_policy

ROBOTS_PATH: Final = "/robots.txt"


def robots_url(origin: str) -> str:
    """Return the URL of the robots.txt of an origin (RFC 9309 section 2.3)."""
    return f"{origin}{ROBOTS_PATH}"


class Hosts:
    """What is known of each origin: its robots.txt, and what that allows.

    ``sites`` are the audited origins; ``audited`` also holds those of declared sitemaps. Any
    other origin counts against AUDIT_MAX_HOSTS.
    """

    def __init__(self, config: Config, fetcher: Fetcher, pace: Pace) -> None:
        self.sites: set[str] = set()
        self.audited: set[str] = set()
        self._agent = config.arguments.agent
        self._max_others = config.settings.max_hosts
        self._fetcher = fetcher
        self._pace = pace
        self._policies: dict[str, Policy] = {}
        self._robots: dict[str, Robots] = {}
        self._others: set[str] = set()
        self._locks: dict[str, asyncio.Lock] = {}
        self._reading = ReadingThread()

    def close(self) -> None:
        """Read no more robots.txt."""
        self._reading.close()

    def restore(self, row: Robots) -> None:
        """Take over a robots.txt that was read before the run was resumed."""
        if not row.audited:
            self.admit(row.site)
        self._policies[row.site] = restore_policy(row)
        self._robots[row.site] = row

    def row(self, origin: str) -> Robots | None:
        """Return the row of an origin's robots.txt, if it was read."""
        return self._robots.get(origin)

    def policy(self, origin: str) -> Policy | None:
        """Return the policy of an origin; None if its robots.txt was not read yet."""
        return self._policies.get(origin)

    def admit(self, origin: str) -> bool:
        """Return whether an origin may be fetched: a site, or one of AUDIT_MAX_HOSTS others."""
        if origin in self.sites or origin in self._others:
            return True
        if len(self._others) >= self._max_others:
            return False
        self._others.add(origin)
        return True

    async def read(self, origin: str) -> Robots | None:
        """Fetch the robots.txt of an origin; return its row, or None if it was read before."""
        async with self._locks.setdefault(origin, asyncio.Lock()):
            if origin in self._policies:
                return None
            request = self._fetcher.robots_request(robots_url(origin))
            return await self.open(origin, await self._fetcher.fetch(request))

    async def open(self, origin: str, first: Response) -> Robots | None:
        """Read the first response for a robots.txt, following its redirects."""
        make_request = self._fetcher.robots_request
        followed = await self._fetcher.follow(first, make_request, ROBOTS_MAX_HOPS, _refuse_none)
        response = followed.response
        row = Robots(origin, robots_url(origin), origin in self.audited, hops=followed.hops)
        row.final_url = response.url if response.status is not None else None
        policy = await self._reading.run(read_robots, response, row)
        if origin in self._policies:
            return None
        self._policies[origin] = policy
        self._pace.set_crawl_delay(origin, policy.crawl_delay(self._agent))
        self._robots[origin] = row
        return row

    def allows(self, url: str) -> bool | None:
        """Return whether the agent may fetch a URL; None if robots.txt was unreachable.

        The robots.txt of the URL's origin must have been read.
        """
        return self._policies[urls.origin(url)].allows(url, self._agent)

    def fetch_obstacle(self, url: str) -> tuple[Error | None, str] | None:
        """Return why a URL must not be fetched; None if it may.

        Without an error, robots.txt disallows the URL; with one, robots.txt could not be fetched.
        """
        if self.allows(url):
            return None
        row = self._robots[urls.origin(url)]
        if row.permission is Permission.UNREACHABLE:
            return row.error, f"robots.txt: {row.error_detail}"
        if row.permission is Permission.NONE:
            return None, f"robots.txt returns {row.status}, which disallows everything"
        return None, f"robots.txt disallows it for {self._agent}"


async def _refuse_none(_: str) -> None:
    """Refuse nothing: robots.txt itself may always be fetched."""
