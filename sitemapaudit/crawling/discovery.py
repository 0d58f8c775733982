"""From robots.txt to every sitemap file, and to the entries of each."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from typing import Final

from sitemapaudit import urls
from sitemapaudit.answer import Answer
from sitemapaudit.config import Config, Site
from sitemapaudit.crawling.fetching import Fetcher, Followed
from sitemapaudit.crawling.hosts import Hosts, robots_url
from sitemapaudit.items import Entries, Entry, Error, Kind, Permission, Robots, Sitemap, Source
from sitemapaudit.sitemaps.reader import SitemapReader, holds_sitemap

WELL_KNOWN: Final = (
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/sitemap_index.xml.gz",
    "/sitemapindex.xml",
    "/sitemap/sitemap.xml",
    "/sitemap/index.xml",
    "/sitemap/sitemap-index.xml",
    "/sitemaps.xml",
    "/sitemaps/sitemap.xml",
    "/sitemap1.xml",
    "/wp-sitemap.xml",
    "/sitemap_news.xml",
    "/sitemap.txt",
    "/sitemap.php",
    "/rss.xml",
    "/feed.xml",
    "/atom.xml",
)
"""Where a sitemap may be that robots.txt does not declare; tried in this order, until one is."""

MAX_HOPS: Final = 20
"""Redirects that are followed to reach a sitemap."""

AHEAD: Final = 4
"""Sitemaps that are fetched while the one before them is read."""

BATCH: Final = 500
"""Entries that travel together."""


_DISCONNECTED: Final = frozenset({Error.REFUSED, Error.RESET, Error.TIMEOUT})


@dataclass(slots=True, frozen=True)
class Found:
    """A sitemap to be read: where it was found, its depth, the addresses of the files above it."""

    url: str
    source: Source
    parent: str | None = None
    depth: int = 0
    trail: tuple[str, ...] = ()


class Discovery:
    """Yields the rows of robots.txt files and sitemaps, and the entries in between."""

    def __init__(self, config: Config, hosts: Hosts, fetcher: Fetcher) -> None:
        self._settings = config.settings
        self._hosts = hosts
        self._fetcher = fetcher
        self._seen: set[str] = set()
        self._queue: deque[Found] = deque()
        self._under_way: deque[tuple[Found, asyncio.Task[Followed]]] = deque()
        self._fetched: dict[str, Followed] = {}
        self._robots: list[Robots] = []
        self._count = 0
        self._read_before: dict[str, tuple[Sitemap, list[str]]] = {}

    def restore(self, row: Sitemap, children: list[str]) -> None:
        """Take a sitemap as read that was read before the run was resumed."""
        self._read_before[row.sitemap] = (row, children)

    async def begin(self, sites: Iterable[Site], given: Iterable[str]) -> AsyncIterator[Robots]:
        """Read the robots.txt of each site: what is audited is known then."""
        for url in given:
            self._hosts.audited.add(urls.origin(url))
            self._enqueue(Found(url, Source.GIVEN))
        for site in dict.fromkeys(sites):
            robots = await self._read_site(site)
            if robots is not None:
                yield robots

    async def items(self) -> AsyncIterator[Robots | Sitemap | Entries]:
        """Read every sitemap that can be found."""
        try:
            async for item in self._walk():
                yield item
        finally:
            for _, task in self._under_way:
                task.cancel()

    async def _read_site(self, site: Site) -> Robots | None:
        known = self._known(site)
        robots = known or await self._connect(site)
        if robots is None:
            return None
        self._hosts.audited.add(robots.site)
        self._hosts.judged.add(robots.site)
        declared = [line.url for line in robots.sitemaps if line.url is not None]
        for url in declared:
            self._hosts.judged.add(urls.origin(url))
            self._enqueue(Found(url, Source.ROBOTS))
        if known is not None:
            if known.found and known.tried:
                self._enqueue(Found(known.tried[-1], Source.WELL_KNOWN))
            return None
        if not declared and robots.permission in (Permission.RULES, Permission.ALL):
            await self._try_well_known(robots)
        return robots

    def _known(self, site: Site) -> Robots | None:
        """Return the row of a site whose robots.txt was read before the run was resumed."""
        first = self._hosts.row(site.origin)
        second = self._hosts.row(site.fallback) if site.fallback else None
        return first or (second if second and second.judged else None)

    async def _connect(self, site: Site) -> Robots | None:
        """Read robots.txt; for a bare host name by http, where https does not connect."""
        origin, answer = site.origin, await self._fetch_robots(site.origin)
        if site.fallback and _speaks_no_https(answer):
            second = await self._fetch_robots(site.fallback)
            if second.error is None:
                origin, answer = site.fallback, second
        self._hosts.judged.add(origin)
        return await self._hosts.open(origin, answer)

    async def _fetch_robots(self, origin: str) -> Answer:
        return await self._fetcher.fetch(self._fetcher.robots_request(robots_url(origin)))

    async def _try_well_known(self, robots: Robots) -> None:
        """Try the usual addresses, until one of them holds a sitemap."""
        robots.tried, robots.found = [], 0
        for path in WELL_KNOWN:
            url = robots.site + path
            if not self._hosts.allows(url):
                continue
            robots.tried.append(url)
            followed = await self._fetch(Found(url, Source.WELL_KNOWN))
            if followed.answer.error is None and holds_sitemap(followed.answer):
                robots.found = 1
                self._fetched[url] = followed
                self._enqueue(Found(url, Source.WELL_KNOWN))
                return

    def _enqueue(self, found: Found) -> None:
        if found.url not in self._seen:
            self._seen.add(found.url)
            self._queue.append(found)

    async def _walk(self) -> AsyncIterator[Robots | Sitemap | Entries]:
        while self._queue or self._under_way:
            while self._queue and len(self._under_way) < AHEAD:
                found = self._queue.popleft()
                if self._was_read(found):
                    continue
                self._under_way.append((found, asyncio.create_task(self._fetch(found))))
            if not self._under_way:
                return
            found, task = self._under_way.popleft()
            followed = await task
            while self._robots:
                yield self._robots.pop()
            async for item in self._read(found, followed):
                yield item

    def _was_read(self, found: Found) -> bool:
        """Pass over a file that was read before the run was resumed, on to its children."""
        row, children = self._read_before.pop(found.url, (None, []))
        if row is None:
            return False
        self._seen.add(row.final_url or found.url)
        self._count += row.error is not Error.LIMIT
        self._descend(found, row, children)
        return True

    async def _fetch(self, found: Found) -> Followed:
        """Fetch one sitemap, unless something stands against it."""
        known = self._fetched.pop(found.url, None)
        if known is not None:
            return known
        limit = self._limit_met(found)
        if limit:
            return Followed(Answer(found.url, error=Error.LIMIT, error_detail=limit), 0)
        self._count += 1
        ask = self._fetcher.sitemap_request
        first = await self._refusal(found.url) or await self._fetcher.fetch(ask(found.url))
        return await self._fetcher.follow(first, ask, MAX_HOPS, self._refusal)

    def _limit_met(self, found: Found) -> str | None:
        if found.depth > self._settings.max_depth:
            return f"AUDIT_MAX_DEPTH is {self._settings.max_depth}"
        if self._count >= self._settings.max_sitemaps:
            return f"AUDIT_MAX_SITEMAPS is {self._settings.max_sitemaps}"
        if not self._hosts.admit(urls.origin(found.url)):
            return f"AUDIT_MAX_HOSTS is {self._settings.max_hosts}"
        return None

    async def _refusal(self, url: str) -> Answer | None:
        """Return what stands for the answer of an address that robots.txt forbids."""
        robots = await self._hosts.read(urls.origin(url))
        if robots is not None:
            self._robots.append(robots)
        obstacle = self._hosts.obstacle(url)
        if obstacle is None:
            return None
        error, detail = obstacle
        return Answer(url, error=error or Error.BLOCKED, error_detail=detail)

    async def _read(self, found: Found, followed: Followed) -> AsyncIterator[Sitemap | Entries]:
        """Yield the row of a file and its entries, the last of them behind the row.

        A long file has a row at its beginning as well, which says that it is
        not complete: what a run leaves that ends in between.
        """
        row = Sitemap(found.url, found.parent, found.source, found.depth, hops=followed.hops)
        reader = SitemapReader(followed.answer, row)
        children: list[str] = []
        batch: list[Entry] = []
        for entry in () if self._is_repeat(found, row) else reader:
            if len(batch) == BATCH:
                if batch[0].position == 1:
                    yield replace(row, complete=False)
                yield Entries(found.url, batch)
                batch = []
            batch.append(entry)
            if entry.kind is Kind.SITEMAPINDEX and entry.url is not None:
                children.append(entry.url)
        self._descend(found, row, children)
        yield row
        if batch:
            yield Entries(found.url, batch)

    def _is_repeat(self, found: Found, row: Sitemap) -> bool:
        """Whether redirects led to a file that is read under its own address."""
        final = row.final_url
        if final is None or final == found.url:
            return False
        if final in found.trail:
            row.cycles.append(final)
        repeat = final in self._seen
        self._seen.add(final)
        return repeat

    def _descend(self, found: Found, row: Sitemap, children: list[str]) -> None:
        above = (*found.trail, found.url, *([row.final_url] if row.final_url else ()))
        fresh = []
        for child in dict.fromkeys(children):
            if child in above:
                row.cycles.append(child)
            elif child not in self._seen:
                self._seen.add(child)
                fresh.append(Found(child, Source.INDEX, found.url, found.depth + 1, above))
        self._queue.extendleft(reversed(fresh))


def _speaks_no_https(answer: Answer) -> bool:
    """Whether nobody answers by HTTPS; a certificate that is not trusted is an answer."""
    if answer.error is Error.TLS:
        return "certificate" not in (answer.error_detail or "")
    return answer.error in _DISCONNECTED
