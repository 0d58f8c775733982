"""The URLs that wait for the robots.txt of their host, or for one of its slots."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.fetches import Fetches
from sitemapaudit.fetching.responses import Responses
from sitemapaudit.hosts.host import Host, Origin
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.hosts.slots import Slots
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Page
from sitemapaudit.verdicts import decide_verdict

MAX_DEFERRED: Final = 5_000
"""The limit of tasks that wait until all sitemaps are read; others do not wait."""

_ROBOTS: Final = "robots.txt"
"""A host whose slots limit the robots.txt requests of all hosts."""


class Actions(Struct, frozen=True):
    """Callbacks of the frontier for a URL that has its turn.

    ``kept`` receives a kept response, and returns None if it cannot use it. ``unfetched`` returns
    the row of a URL that must not be requested, with the reason.
    """

    page: Callable[[FetchTask], None]
    kept: Callable[[Response, FetchTask], Iterator[Any] | None]
    unfetched: Callable[[FetchTask, Error | None, str], Any]


class Frontier:
    """Starts each task when its host allows it. Its methods yield items.

    A task waits while the robots.txt of its host is fetched, and while its host has enough
    requests in flight: a slow host delays no other. ``waiting`` counts these tasks.
    """

    def __init__(
        self,
        hosts: Hosts,
        responses: Responses,
        fetches: Fetches,
        slots: Slots[FetchTask | Origin],
        actions: Actions,
    ) -> None:
        self.waiting = 0
        self._hosts = hosts
        self._fetches = fetches
        self._responses = responses
        self._slots = slots
        self._actions = actions
        self._turn = asyncio.Event()
        self._robots = Host(_ROBOTS)
        self._deferred: list[FetchTask] | None = []

    async def wait_for_room(self, most: int) -> None:
        """Wait until at most ``most`` tasks wait."""
        while self.waiting > most:
            await self._turn.wait()

    def fetch(self, task: FetchTask) -> Iterator[Any]:
        """Fetch a URL, now or later; yield the row of a disallowed one.

        A URL that may be a sitemap waits until all sitemaps are read, so that it is fetched once.
        """
        if self._defer(task):
            return
        origin = self._hosts.origin_of(task.url)
        if origin.policy is not None:
            yield from self._fetch_allowed(task, origin)
            return
        self.waiting += 1
        self._request_robots(origin).append(task)

    def fetch_deferred(self) -> Iterator[Any]:
        """Fetch the deferred tasks; no task is deferred from now on."""
        tasks, self._deferred = self._deferred or [], None
        for task in tasks:
            yield from self.fetch(task)

    def fetch_robots(self, origins: Iterable[str]) -> None:
        """Fetch the robots.txt of each origin, unless it has been requested."""
        for name in set(origins):
            if self._hosts.admit(name):
                origin = self._hosts.origin(name)
                if origin.policy is None:
                    self._request_robots(origin)

    def page_arrived(self, task: FetchTask) -> None:
        """Give the slot of a page that arrived or failed to a waiting task."""
        self._release(self._hosts.origin_of(task.url).host)

    def _defer(self, task: FetchTask) -> bool:
        """Defer a task if its URL may be a sitemap; return whether it is deferred."""
        tasks = self._deferred
        if tasks is None or len(tasks) >= MAX_DEFERRED:
            return False
        if not self._responses.may_arrive(task.url):
            return False
        tasks.append(task)
        return True

    def _request_robots(self, origin: Origin) -> list[FetchTask]:
        """Read a robots.txt, now or later; return the tasks that wait for it."""
        if origin.waiting is None:
            origin.waiting = []
            if self._slots.acquire(self._robots, origin):
                self._fetches.start(self._read_robots(origin))
        return origin.waiting

    async def _read_robots(self, origin: Origin) -> None:
        robots = await self._hosts.read(origin)
        if robots is not None:
            await self._fetches.process((robots,))
        await self._fetches.process(self._fetch_waiting(origin))

    def _fetch_waiting(self, origin: Origin) -> Iterator[Any]:
        """Start the tasks that waited for the robots.txt of an origin, or for its slot."""
        self._release(self._robots)
        tasks, origin.waiting = origin.waiting or [], None
        self.waiting -= len(tasks)
        for task in tasks:
            yield from self._fetch_allowed(task, origin)

    def _fetch_allowed(self, task: FetchTask, origin: Origin) -> Iterator[Any]:
        obstacle = None if task.for_others else self._hosts.fetch_obstacle(origin, task.url)
        if obstacle is not None:
            if task.first is None:  # A recheck keeps the first row.
                yield self._actions.unfetched(task, *obstacle)
            return
        outputs = self._outputs_of_kept(task)
        if outputs is not None:
            yield from outputs
        elif self._slots.acquire(origin.host, task):
            self._actions.page(task)
        else:
            self.waiting += 1

    def _outputs_of_kept(self, task: FetchTask) -> Iterator[Any] | None:
        """Return the outputs of a page that was kept as a file; None if it must be fetched."""
        if task.first is not None:
            return None
        kept = self._responses.take(task.url)
        return self._actions.kept(kept, task) if kept is not None else None

    def _release(self, host: Host) -> None:
        for released in self._slots.release(host):
            if isinstance(released, Origin):
                self._fetches.start(self._read_robots(released))
            else:
                self.waiting -= 1
                self._actions.page(released)
        self._turn.set()
        self._turn.clear()


def unfetched_page(task: FetchTask, error: Error | None, detail: str) -> Page:
    """Return the row of a page that must not be requested."""
    page = task.new_page(error=error, error_detail=detail)
    page.allowed = False if error is None else None
    page.verdict = decide_verdict(page)
    return page
