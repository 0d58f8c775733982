"""The origins of a run, and what their robots.txt allow. Each is read once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from sitemapaudit.config import Config
from sitemapaudit.engine.reading_thread import ReadingThread
from sitemapaudit.fetching.redirects import follow
from sitemapaudit.fetching.responses import Responses
from sitemapaudit.hosts.host import HostTable, Origin
from sitemapaudit.hosts.pace import Pace
from sitemapaudit.http.redirects import ROBOTS_MAX_HOPS
from sitemapaudit.items import Error, Permission, Robots
from sitemapaudit.robots import Policy, read_robots, restore_policy
from sitemapaudit.robots.agents import agent_named
from sitemapaudit.runs import stats

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

ROBOTS_PATH: Final = "/robots.txt"


def robots_url(origin: str) -> str:
    """Return the URL of the robots.txt of an origin (RFC 9309 section 2.3)."""
    return f"{origin}{ROBOTS_PATH}"


class Hosts:
    """Reads the robots.txt of origins, and decides what the agent may fetch.

    ``sites`` are the audited origins; ``audited`` also has those of declared sitemaps. Any
    other origin counts against AUDIT_MAX_HOSTS. ``table`` has the state of all.
    """

    def __init__(
        self,
        config: Config,
        table: HostTable,
        responses: Responses,
        pace: Pace,
        counts: StatsCollector,
    ) -> None:
        self.table = table
        self.sites: set[str] = set()
        self.audited: set[str] = set()
        self._agent = config.arguments.agent
        self._other_agents = [name for name in config.other_agents if agent_named(name).robots]
        self._staging = config.staging
        self._ignores_block = config.arguments.ignore_staging_block
        self._counts = counts
        self._max_others = config.settings.max_hosts
        self.origin = table.origin
        self.origin_of = table.origin_of
        self._responses = responses
        self._pace = pace
        self._others: set[str] = set()
        self._reading = ReadingThread()

    def close(self) -> None:
        """Stop reading robots.txt files."""
        self._reading.close()

    def restore(self, row: Robots) -> None:
        """Take over a robots.txt that was read before the run was resumed."""
        if not row.audited:
            self.admit(row.site)
        origin = self.origin(row.site)
        origin.is_reported = True
        self._set_policy(origin, row, restore_policy(row))
        self._responses.restore_robots(row)

    def admit(self, name: str) -> bool:
        """Return whether an origin may be fetched: a site, or one of AUDIT_MAX_HOSTS others."""
        if name in self.sites or name in self._others:
            return True
        if len(self._others) >= self._max_others:
            return False
        self._others.add(name)
        return True

    async def read(self, origin: Origin) -> Robots | None:
        """Read the robots.txt of an origin once, for all callers.

        The first caller gets the row, to write it; the others get None.
        """
        if origin.is_reported:
            return None
        if origin.reading is None:
            origin.reading = asyncio.ensure_future(self._read(origin))
        # A caller that stops waiting must not stop the others.
        row = await asyncio.shield(origin.reading)
        is_first, origin.is_reported = not origin.is_reported, True
        return row if is_first else None

    async def _read(self, origin: Origin) -> Robots:
        url = robots_url(origin.name)
        followed = await follow(url, ROBOTS_MAX_HOPS, self._responses.robots)
        row = Robots(origin.name, url, origin.name in self.audited, hops=followed.hops)
        row.final_url = followed.response.url if followed.response.status is not None else None
        policy = await self._reading.run(read_robots, followed.response, row)
        self._count_robots(followed.response.status)
        self._set_policy(origin, row, policy)
        return row

    def _count_robots(self, status: int | None) -> None:
        """Count a robots.txt as Scrapy does."""
        self._counts.inc_value(stats.ROBOTS_REQUESTS)
        if status is not None:
            self._counts.inc_value(stats.ROBOTS_RESPONSES)
            self._counts.inc_value(stats.robots_status_stat(status))

    def _set_policy(self, origin: Origin, row: Robots, policy: Policy) -> None:
        if self._is_set_aside(origin.name, policy):
            self._counts.inc_value(stats.SET_ASIDE_ROBOTS)
            policy = Policy(Permission.ALL)
        origin.policy, origin.row = policy, row
        self._pace.set_crawl_delay(origin.host, policy.crawl_delay(self._agent))

    def _is_set_aside(self, name: str, policy: Policy) -> bool:
        """Return whether to ignore a robots.txt that only keeps crawlers off staging."""
        home = f"{name}/"
        if not self._ignores_block or self._staging.origin_for(home) is None:
            return False
        return policy.allows(home, self._agent) is False

    def allows(self, url: str) -> bool | None:
        """Return whether the agent may fetch a URL; None if robots.txt was unreachable.

        The robots.txt of the URL's origin must have been read.
        """
        return self._policy(self.origin_of(url)).allows(url, self._agent)

    def allows_another(self, url: str) -> bool:
        """Return whether an agent other than the first may fetch a URL; robots.txt was read."""
        policy = self._policy(self.origin_of(url))
        return any(policy.allows(url, agent) for agent in self._other_agents)

    def fetch_obstacle(self, origin: Origin, url: str) -> tuple[Error | None, str] | None:
        """Return why a URL of an origin must not be fetched; None if it may.

        Without an error, robots.txt disallows the URL; with an error, it could not be fetched.
        """
        if self._policy(origin).allows(url, self._agent):
            return None
        row = origin.row
        assert row is not None
        if row.permission is Permission.UNREACHABLE:
            return row.error, f"robots.txt: {row.error_detail}"
        if row.permission is Permission.NONE:
            failed = f"robots.txt could not be read ({row.status})"
            return None, f"{failed}: its host counts as disallowed"
        return None, f"robots.txt disallows it for {self._agent}"

    @staticmethod
    def _policy(origin: Origin) -> Policy:
        assert origin.policy is not None
        return origin.policy
