"""From robots.txt to every sitemap file, and to the entries of each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Final

from sitemapaudit import urls
from sitemapaudit.answer import Answer
from sitemapaudit.config import Config, Site
from sitemapaudit.crawling.fetching import Fetcher, Followed
from sitemapaudit.crawling.hosts import Hosts
from sitemapaudit.crawling.origins import Origins
from sitemapaudit.crawling.queue import Found, Queue
from sitemapaudit.items import Entries, Entry, Error, Kind, Permission, Robots, Sitemap, Source
from sitemapaudit.sitemaps.reader import SitemapReader, holds_sitemap
from sitemapaudit.sitemaps.well_known import WELL_KNOWN
from sitemapaudit.urlset import UrlSet

MAX_HOPS: Final = 20
"""Redirects that are followed to reach a sitemap."""

BATCH: Final = 500
"""Entries that travel together."""


class Discovery:
    """Yields the rows of robots.txt files and sitemaps, and the entries in between."""

    def __init__(self, config: Config, hosts: Hosts, fetcher: Fetcher) -> None:
        self._settings = config.settings
        self._hosts = hosts
        self._origins = Origins(hosts, fetcher)
        self._fetcher = fetcher
        self._seen = UrlSet()
        self._queue = Queue()
        self._under_way: dict[asyncio.Task[Followed], Found] = {}
        self._fetched: dict[str, Followed] = {}
        self._robots: list[Robots] = []
        self._count = 0
        self._read_before: dict[str, tuple[Sitemap, list[str]]] = {}
        self._left_out: list[Sitemap] = []
        # One thread: a file that takes seconds to read keeps no answer waiting.
        self._reading = ThreadPoolExecutor(1, "reading")

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
            for task in self._under_way:
                task.cancel()
            self._reading.shutdown(wait=False, cancel_futures=True)

    async def _read_site(self, site: Site) -> Robots | None:
        known = self._origins.known(site)
        robots = known or await self._origins.connect(site)
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

    async def _try_well_known(self, robots: Robots) -> None:
        """Try the usual addresses, until one of them holds a sitemap."""
        robots.tried, robots.found = [], 0
        for path in WELL_KNOWN:
            url = robots.site + path
            if not self._hosts.allows(url):
                continue
            robots.tried.append(url)
            followed = await self._fetch(Found(url, Source.WELL_KNOWN))
            if followed.answer.error is None and await self._holds_sitemap(followed.answer):
                robots.found = 1
                self._fetched[url] = followed
                self._enqueue(Found(url, Source.WELL_KNOWN))
                return

    async def _holds_sitemap(self, answer: Answer) -> bool:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, holds_sitemap, answer)

    def _enqueue(self, found: Found) -> None:
        if self._seen.add(found.url):
            self._queue.append(found)

    async def _walk(self) -> AsyncIterator[Robots | Sitemap | Entries]:
        while self._queue or self._under_way:
            while found := self._queue.take():
                if self._was_read(found):
                    self._queue.done(found)
                else:
                    self._under_way[asyncio.create_task(self._fetch(found))] = found
            while self._left_out:
                yield self._left_out.pop()
            if not self._under_way:
                return
            await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
            task = next(task for task in self._under_way if task.done())
            found = self._under_way.pop(task)
            self._queue.done(found)
            while self._robots:
                yield self._robots.pop()
            async for item in self._read(found, task.result()):
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
        limit = self._limit_met(found, self._count)
        if limit:
            return Followed(Answer(found.url, error=Error.LIMIT, error_detail=limit), 0)
        self._count += 1
        ask = self._fetcher.sitemap_request
        first = await self._refusal(found.url) or await self._fetcher.fetch(ask(found.url))
        return await self._fetcher.follow(first, ask, MAX_HOPS, self._refusal)

    def _limit_met(self, found: Found, count: int) -> str | None:
        """Name the limit that leaves out a sitemap before which so many are read."""
        if found.depth > self._settings.max_depth:
            return f"AUDIT_MAX_DEPTH is {self._settings.max_depth}"
        if count >= self._settings.max_sitemaps:
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
        repeat = self._is_repeat(found, followed.answer, row)
        reader = iter(SitemapReader(followed.answer, row))
        children: list[str] = []
        batch = [] if repeat else await self._batch(reader)
        while batch:
            children += _children(batch)
            following = await self._batch(reader)
            if not following:
                break
            if batch[0].position == 1:
                yield replace(row, complete=False)
            yield Entries(found.url, batch)
            batch = following
        self._descend(found, row, children)
        yield row
        if batch:
            yield Entries(found.url, batch)
        while self._left_out:
            yield self._left_out.pop()

    async def _batch(self, entries: Iterator[Entry]) -> list[Entry]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, _first, entries)

    def _is_repeat(self, found: Found, answer: Answer, row: Sitemap) -> bool:
        """Whether redirects led to a file that is read under its own address."""
        final = answer.url
        if answer.status is None or final == found.url:
            return False
        if final in found.trail:
            row.cycles.append(final)
        return not self._seen.add(final)

    def _descend(self, found: Found, row: Sitemap, children: list[str]) -> None:
        """Let the children of an index wait, but for those that a limit leaves out."""
        above = (*found.trail, found.url, *([row.final_url] if row.final_url else ()))
        fresh: list[Found] = []
        for child in dict.fromkeys(children):
            if child in above:
                row.cycles.append(child)
            elif self._seen.add(child):
                each = Found(child, Source.INDEX, found.url, found.depth + 1, above)
                limit = self._limit_met(each, self._count + len(self._queue) + len(fresh))
                if limit is None or child in self._read_before:
                    fresh.append(each)
                else:
                    self._left_out.append(_left_out(each, limit))
        self._queue.prepend(fresh)


def _children(entries: list[Entry]) -> Iterator[str]:
    for entry in entries:
        if entry.kind is Kind.SITEMAPINDEX and entry.url is not None:
            yield entry.url


def _left_out(found: Found, limit: str) -> Sitemap:
    row = Sitemap(found.url, found.parent, found.source, found.depth)
    row.error, row.error_detail = Error.LIMIT, limit
    return row


def _first(entries: Iterator[Entry]) -> list[Entry]:
    return list(islice(entries, BATCH))
