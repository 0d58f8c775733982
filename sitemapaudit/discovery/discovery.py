"""From robots.txt to every sitemap file, and to its entries."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Final

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.config import Config, Site
from sitemapaudit.discovery.sitemap_queue import MAX_IN_FLIGHT, SitemapQueue, SitemapTask
from sitemapaudit.discovery.sitemap_reading import Part, SitemapReading
from sitemapaudit.fetching.redirects import FollowedResponse, follow
from sitemapaudit.fetching.responses import Responses
from sitemapaudit.hosts.agent_comparison import AgentComparison
from sitemapaudit.hosts.connecting import connect, restored_robots
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.http.challenges import challenge_in_place
from sitemapaudit.http.login import is_login
from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.http.response import Response
from sitemapaudit.items import (
    ELSEWHERE,
    Entries,
    Error,
    Kind,
    Permission,
    Robots,
    Sitemap,
    SitemapSource,
)
from sitemapaudit.runs.ledger.records import EntryRecords
from sitemapaudit.sitemaps.file_parts import ReadFile
from sitemapaudit.sitemaps.sitemap_reader import kind_of_body
from sitemapaudit.sitemaps.well_known import WELL_KNOWN
from sitemapaudit.urls.url_set import UrlSet

_PATIENCE: Final = 0.5
"""Seconds that a file waits for a file listed before it."""

_OUT_OF_REACH: Final = frozenset({Error.PRIVATE_ADDRESS, *ELSEWHERE})
"""Errors of hosts that are not contacted."""


Discovered = Robots | Sitemap | Entries | EntryRecords


class _FetchedFile(Struct):
    """The next file, and its parts if it is being read."""

    task: SitemapTask
    followed: FollowedResponse
    parts: AsyncIterator[Part] | None = None


class Discovery:
    """Yields the rows of robots.txt files and sitemaps, with the entries between them."""

    def __init__(
        self,
        config: Config,
        hosts: Hosts,
        responses: Responses,
        comparison: AgentComparison,
        reading: SitemapReading,
    ) -> None:
        self._settings = config.settings
        self._path = config.path
        self._hosts = hosts
        self._staging = config.staging
        self._responses = responses
        self._comparison = comparison
        self._seen = UrlSet()
        self._queue = SitemapQueue()
        self._in_flight: dict[asyncio.Task[FollowedResponse], SitemapTask] = {}
        self._slow: set[asyncio.Task[FollowedResponse]] = set()
        self._robots: list[Robots] = []
        self._count = 0
        self._restored: dict[str, tuple[Sitemap, list[str]]] = {}
        self._skipped: list[Sitemap] = []
        self._reading = reading
        self._fetched: deque[_FetchedFile] = deque()

    def restore(self, row: Sitemap, children: list[str]) -> None:
        """Take over a sitemap that was read before the run was resumed."""
        self._restored[row.sitemap] = (row, children)
        self._responses.restore_sitemap(row)

    async def start(self, sites: Iterable[Site], given: Iterable[str]) -> AsyncIterator[Robots]:
        """Read the robots.txt of each site; then the audited origins are known."""
        for url in given:
            self._hosts.sites.add(urls.origin(url))
            self._enqueue(SitemapTask(url, SitemapSource.GIVEN))
        for site in dict.fromkeys(sites):
            robots = await self._read_site(site)
            if robots is not None:
                yield robots

    def is_known(self, url: str) -> bool:
        """Return whether a URL is that of a sitemap that was discovered."""
        return url in self._seen

    async def read_sitemaps(self) -> AsyncIterator[Discovered]:
        """Read every sitemap that can be discovered."""
        try:
            async for item in self._walk():
                yield item
        finally:
            for task in self._in_flight:
                task.cancel()
            await self._reading.close()

    def listed_elsewhere(self) -> Iterator[str]:
        """Yield nothing: all entries are those of this run."""
        return iter(())

    async def _read_site(self, site: Site) -> Robots | None:
        restored = restored_robots(self._hosts, site)
        robots = restored or await connect(self._hosts, self._responses, site)
        if robots is None:
            return None
        self._hosts.sites.add(robots.site)
        self._hosts.audited.add(robots.site)
        site_url = self._staging.site_url
        declared = [site_url(line.url) for line in robots.sitemaps if line.url is not None]
        for url in declared:
            self._hosts.audited.add(urls.origin(url))
            self._enqueue(SitemapTask(url, SitemapSource.ROBOTS))
        if restored is not None:
            if restored.well_known_found and restored.well_known_tried:
                found = restored.well_known_tried[-1]
                self._enqueue(SitemapTask(found, SitemapSource.WELL_KNOWN))
            return None
        if robots.permission in (Permission.RULES, Permission.ALL) and not await self._reaches(
            declared
        ):
            await self._try_well_known(robots)
        return robots

    async def _reaches(self, declared: Iterable[str]) -> bool:
        """Return whether a declared sitemap is on a host that may be contacted."""
        for url in declared:
            origin = self._hosts.origin_of(url)
            if (robots := await self._hosts.read(origin)) is not None:
                self._robots.append(robots)
            obstacle = self._hosts.fetch_obstacle(origin, url)
            error = obstacle[0] if obstacle else origin.row and origin.row.error
            if error not in _OUT_OF_REACH:
                return True
        return False

    async def _try_well_known(self, robots: Robots) -> None:
        """Try the well-known URLs until one of them is a sitemap.

        If none is, a sitemap that came with an error status is reported.
        """
        robots.well_known_tried, robots.well_known_found = [], 0
        robots.well_known_outcomes = outcomes = []
        failed = None
        for path in WELL_KNOWN:
            url = robots.site + self._path + path
            if not self._hosts.allows(url):
                continue
            robots.well_known_tried.append(url)
            followed = await follow(url, MAX_HOPS, self._refuse_or_fetch)
            response = followed.response
            outcomes.append(_describe_outcome(followed))
            await self._comparison.of_response(response)
            if response.error is None and await self._contains_sitemap(response):
                robots.well_known_found = 1
                self._enqueue(SitemapTask(url, SitemapSource.WELL_KNOWN))
                return
            if failed is None and response.error is None and self._kind_of_body(response):
                failed = url
                continue
            self._responses.drop(url)
            self._responses.drop(response.url)
        if failed is not None:
            _move_to_end(robots, failed)
            robots.well_known_found = 1
            self._enqueue(SitemapTask(failed, SitemapSource.WELL_KNOWN))

    async def _contains_sitemap(self, response: Response) -> bool:
        """Return whether a response is a sitemap; if it was read before, its row says so."""
        if response.url in self._restored:
            return self._restored[response.url][0].kind not in (Kind.HTML, Kind.UNKNOWN)
        return await self._reading.contains_sitemap(response)

    def _kind_of_body(self, response: Response) -> Kind | None:
        """Return the kind of a sitemap that came with an error status, in the same way."""
        if response.url in self._restored:
            return self._restored[response.url][0].error_body
        return kind_of_body(response)

    def _enqueue(self, task: SitemapTask) -> None:
        if self._seen.add(task.url):
            self._responses.expect(task.url)
            self._queue.append(task)

    async def _walk(self) -> AsyncIterator[Discovered]:
        while self._queue or self._in_flight or self._fetched:
            while task := self._queue.take():
                if self._skip_restored(task):
                    self._queue.finish(task)
                else:
                    self._in_flight[asyncio.create_task(self._fetch(task))] = task
            while self._skipped:
                yield self._skipped.pop()
            while self._has_next():
                self._fetched.append(await self._next())
                while self._robots:
                    yield self._robots.pop()
            if self._fetched:
                async for item in self._read(self._fetched.popleft()):
                    yield item

    def _has_next(self) -> bool:
        """Return whether there is a file to read or to wait for."""
        if not self._fetched:
            return bool(self._in_flight)
        waiting = len(self._queue) + len(self._in_flight)
        if len(self._fetched) >= self._reading.capacity(waiting):
            return False
        return any(fetch.done() for fetch in self._in_flight)

    async def _next(self) -> _FetchedFile:
        """Wait for a file, and begin to read it if no earlier file can affect that.

        An earlier file that is not read yet may list the target of redirects.
        """
        fetch = await self._wait()
        file = _FetchedFile(self._in_flight.pop(fetch), fetch.result())
        self._slow.discard(fetch)
        await self._comparison.of_response(file.followed.response)
        self._queue.finish(file.task)
        if not file.followed.hops:
            file.parts = self._begin(file)
        return file

    async def _wait(self) -> asyncio.Task[FollowedResponse]:
        """Wait for a file, preferably the first listed file of its origin.

        So rows arrive in the order of their table. A slow file does not stop the others: they wait
        for it once.
        """
        await asyncio.wait(self._in_flight, return_when=asyncio.FIRST_COMPLETED)
        fetched = next(fetch for fetch in self._in_flight if fetch.done())
        origin = urls.origin(self._in_flight[fetched].url)
        listed = [
            fetch for fetch, task in self._in_flight.items() if urls.origin(task.url) == origin
        ]
        first = next((fetch for fetch in listed if fetch not in self._slow), fetched)
        await asyncio.wait((first,), timeout=_PATIENCE)
        if not first.done():
            self._slow.add(first)
        return next(fetch for fetch in listed if fetch.done())

    def _skip_restored(self, task: SitemapTask) -> bool:
        """Skip a file that was read before the run was resumed, and queue its children."""
        row, children = self._restored.pop(task.url, (None, []))
        if row is None:
            return False
        self._seen.add(row.final_url or task.url)
        self._count += row.error is not Error.LIMIT
        self._descend(task, row, children)
        return True

    async def _fetch(self, task: SitemapTask) -> FollowedResponse:
        """Fetch one sitemap, unless a limit or robots.txt forbids it."""
        limit = self._reached_limit(task, self._count)
        if limit:
            return FollowedResponse(Response(task.url, error=Error.LIMIT, error_detail=limit), 0)
        self._count += 1
        return await follow(task.url, MAX_HOPS, self._refuse_or_fetch)

    async def _refuse_or_fetch(self, url: str) -> Response:
        return await self._refuse(url) or await self._responses.sitemap(url)

    def _reached_limit(self, task: SitemapTask, count: int) -> str | None:
        """Return the limit that skips a sitemap after ``count`` others; None if none does."""
        if task.depth > self._settings.max_depth:
            return f"AUDIT_MAX_DEPTH is {self._settings.max_depth}"
        if count >= self._settings.max_sitemaps:
            return f"AUDIT_MAX_SITEMAPS is {self._settings.max_sitemaps}"
        if not self._hosts.admit(urls.origin(task.url)):
            return f"AUDIT_MAX_HOSTS is {self._settings.max_hosts}"
        return None

    async def _refuse(self, url: str) -> Response | None:
        """Return a response for a URL that robots.txt disallows; None if it is allowed."""
        origin = self._hosts.origin_of(url)
        robots = await self._hosts.read(origin)
        if robots is not None:
            self._robots.append(robots)
        obstacle = self._hosts.fetch_obstacle(origin, url)
        if obstacle is None:
            return None
        error, detail = obstacle
        return Response(url, error=error or Error.BLOCKED, error_detail=detail)

    def _begin(self, file: _FetchedFile) -> AsyncIterator[Part]:
        task, response = file.task, file.followed.response
        row = Sitemap(task.url, task.parent, task.source, task.depth, hops=file.followed.hops)
        repeat = self._is_repeat(task, response, row)
        self._responses.mark_read(task.url)
        if repeat:
            if self._responses.unread > MAX_IN_FLIGHT:
                self._responses.drop(response.url)  # It is fetched again when it is needed.
            return self._reading.skip(response, row)
        self._responses.mark_read(response.url)
        return self._reading.begin(response, row)

    async def _read(self, file: _FetchedFile) -> AsyncIterator[Sitemap | Entries | EntryRecords]:
        """Yield the row of a file and its entries, the last batch after the row."""
        async for part in file.parts or self._begin(file):
            if isinstance(part, ReadFile):
                self._descend(file.task, part.row, part.children)
                yield part.row
            else:
                yield part
        while self._skipped:
            yield self._skipped.pop()

    def _is_repeat(self, task: SitemapTask, response: Response, row: Sitemap) -> bool:
        """Return whether redirects led to a file that is read under its own URL."""
        final = response.url
        if response.status is None or final == task.url:
            return False
        if final in task.ancestors:
            row.cycles.append(final)
        return not self._seen.add(final)

    def _descend(self, task: SitemapTask, row: Sitemap, children: list[str]) -> None:
        """Queue the children of an index, except those that a limit skips."""
        above = (*task.ancestors, task.url, *([row.final_url] if row.final_url else ()))
        fresh: list[SitemapTask] = []
        for child in dict.fromkeys(children):
            if child in above:
                row.cycles.append(child)
            elif self._seen.add(child):
                each = SitemapTask(child, SitemapSource.INDEX, task.url, task.depth + 1, above)
                limit = self._reached_limit(each, self._count + len(self._queue) + len(fresh))
                if limit is None or child in self._restored:
                    self._responses.expect(child)
                    fresh.append(each)
                else:
                    self._skipped.append(_skipped_row(each, limit))
        self._queue.prepend(fresh)


def _describe_outcome(followed: FollowedResponse) -> str:
    response = followed.response
    if response.error is None and followed.hops and is_login(response.url):
        return "login"
    challenge = challenge_in_place(response)
    return str(response.error or (Error.CHALLENGE if challenge else response.status))


def _move_to_end(robots: Robots, url: str) -> None:
    """Make a well-known URL the last in the list, which is the place of the sitemap found."""
    tried, outcomes = robots.well_known_tried or [], robots.well_known_outcomes or []
    place = tried.index(url)
    tried.append(tried.pop(place))
    outcomes.append(outcomes.pop(place))


def _skipped_row(task: SitemapTask, limit: str) -> Sitemap:
    row = Sitemap(task.url, task.parent, task.source, task.depth)
    row.error, row.error_detail = Error.LIMIT, limit
    return row
