"""The robots.txt of each origin: read once, before anything else of the origin is fetched."""

from __future__ import annotations

import asyncio
from typing import Final

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.engine import stats
from sitemapaudit.engine.reading_thread import ReadingThread
from sitemapaudit.fetching.fetcher import Fetcher, FollowedResponse
from sitemapaudit.fetching.pace import Pace
from sitemapaudit.http.redirects import REDIRECT_STATUSES, ROBOTS_MAX_HOPS
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Permission, Robots
from sitemapaudit.robots import Policy, read_robots, restore_policy
from sitemapaudit.robots.agents import agent_named

ROBOTS_PATH: Final = "/robots.txt"

_MAX_SAVED: Final = 65_536
"""Bytes of a robots.txt that is saved for other origins; a longer one is fetched again."""

_MAX_ALL_SAVED: Final = 2**24


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
        self._other_agents = [name for name in config.other_agents if agent_named(name).robots]
        self._staging = config.staging
        self._ignores_block = config.arguments.ignore_staging_block
        self._stats = fetcher.crawler.stats
        self._max_others = config.settings.max_hosts
        self._fetcher = fetcher
        self._pace = pace
        self._policies: dict[str, Policy] = {}
        self._robots: dict[str, Robots] = {}
        self._others: set[str] = set()
        self._locks: dict[str, asyncio.Lock] = {}
        self._responses: dict[str, Response] = {}
        self._reading = ReadingThread()

    def close(self) -> None:
        """Read no more robots.txt."""
        self._reading.close()

    def restore(self, row: Robots) -> None:
        """Take over a robots.txt that was read before the run was resumed."""
        if not row.audited:
            self.admit(row.site)
        self._set_policy(row, restore_policy(row))
        if row.hops and row.text is not None and row.final_url and row.status:
            media_type = {"content-type": [row.content_type]} if row.content_type else {}
            body = row.text.encode()
            self._save(
                Response(row.final_url, row.status, media_type, body, fetched_at=row.fetched_at)
            )

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
            return await self.open(origin, await self.download(robots_url(origin)))

    async def download(self, url: str) -> Response:
        """Fetch a robots.txt, unless another one redirected to it before."""
        saved = self._responses.get(url)
        if saved is None:
            saved = await self._fetcher.fetch_file(self._fetcher.robots_request(url))
            self._save(saved)
        return saved

    def adopt(self, origin: str) -> Robots | None:
        """Read a robots.txt to which another one redirected before; None if there is none."""
        url = robots_url(origin)
        hops, response = 0, self._responses.get(url)
        while response is not None and response.status in REDIRECT_STATUSES:
            hops += 1
            target = response.redirect_target() if hops <= ROBOTS_MAX_HOPS else None
            response = self._responses.get(target or "")
        if response is None or origin in self._policies:
            return None
        row = self._new_row(origin, FollowedResponse(response, hops))
        self._set_policy(row, read_robots(response, row))
        return row

    def _save(self, response: Response) -> None:
        """Save a response that may be that of another origin, too."""
        size = len(response.body)
        if size <= _MAX_SAVED and len(self._responses) * _MAX_SAVED < _MAX_ALL_SAVED:
            self._responses.setdefault(response.url, response)

    async def open(self, origin: str, first: Response) -> Robots | None:
        """Read the first response for a robots.txt, following its redirects."""
        make_request = self._fetcher.robots_request
        self._save(first)
        followed = await self._fetcher.follow(first, make_request, ROBOTS_MAX_HOPS, self.download)
        row = self._new_row(origin, followed)
        policy = await self._reading.run(read_robots, followed.response, row)
        if origin in self._policies:
            return None
        self._set_policy(row, policy)
        return row

    def _new_row(self, origin: str, followed: FollowedResponse) -> Robots:
        row = Robots(origin, robots_url(origin), origin in self.audited, hops=followed.hops)
        row.final_url = followed.response.url if followed.response.status is not None else None
        return row

    def _set_policy(self, row: Robots, policy: Policy) -> None:
        self._policies[row.site], self._robots[row.site] = policy, row
        if self._is_set_aside(row.site, policy):
            self._stats.inc_value(stats.SET_ASIDE_ROBOTS)
            self._policies[row.site] = policy = Policy(Permission.ALL)
        self._pace.set_crawl_delay(row.site, policy.crawl_delay(self._agent))

    def _is_set_aside(self, origin: str, policy: Policy) -> bool:
        """Return whether a robots.txt only keeps crawlers off staging, and is not to count."""
        home = f"{origin}/"
        if not self._ignores_block or self._staging.origin_for(home) is None:
            return False
        return policy.allows(home, self._agent) is False

    def allows(self, url: str) -> bool | None:
        """Return whether the agent may fetch a URL; None if robots.txt was unreachable.

        The robots.txt of the URL's origin must have been read.
        """
        return self._policies[urls.origin(url)].allows(url, self._agent)

    def allows_another(self, url: str) -> bool:
        """Return whether another agent than the first may fetch a URL; robots.txt was read."""
        policy = self._policies[urls.origin(url)]
        return any(policy.allows(url, agent) for agent in self._other_agents)

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
