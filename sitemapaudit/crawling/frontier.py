"""The URLs that wait to be fetched: for the robots.txt of their host, or for a slot of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.fetching.fetched_files import FetchedFiles
from sitemapaudit.hosts.host_slots import HostSlots
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Page, Robots
from sitemapaudit.verdicts import decide_verdict

MAX_DEFERRED: Final = 5_000
"""Tasks that wait until all sitemaps are read; more are fetched without waiting."""

_ROBOTS_SLOT: Final = "robots.txt"
"""The host whose slots the robots.txt requests of all hosts take."""

TASK: Final = "task"
"""The key of a page request's meta that holds its FetchTask."""


class Actions(Struct, frozen=True):
    """What the frontier calls when a URL has its turn.

    ``kept`` receives a response that was kept; it returns None if it cannot use it. ``unfetched``
    returns the row of a URL that must not be requested, with the reason.
    """

    page: Callable[[FetchTask], None]
    robots: Callable[[str], None]
    kept: Callable[[Response, FetchTask], Iterator[Any] | None]
    unfetched: Callable[[FetchTask, Error | None, str], Any]


class Frontier:
    """Lets each task have its turn when its host allows it; what it returns are items.

    A task waits while the robots.txt of its host is fetched, and while its host has enough
    requests in flight: a slow host delays no other. ``waiting`` counts these tasks.
    """

    def __init__(
        self,
        hosts: Hosts,
        files: FetchedFiles,
        slots: HostSlots[FetchTask | str],
        actions: Actions,
    ) -> None:
        self.waiting = 0
        self._hosts = hosts
        self._files = files
        self._slots = slots
        self._actions = actions
        self._turn = asyncio.Event()
        self._waiting_for_robots: dict[str, list[FetchTask]] = {}
        self._deferred: list[FetchTask] | None = []

    async def next_turn(self) -> None:
        """Wait until a request is done."""
        await self._turn.wait()

    def fetch(self, task: FetchTask) -> Iterator[Any]:
        """Fetch a URL, now or later; yield a page in place of a disallowed one.

        A URL that may be a sitemap waits until all sitemaps are read, so that it is fetched once.
        """
        if self._defer(task):
            return
        origin = urls.origin(task.url)
        if self._hosts.policy(origin) is None:
            adopted = self._hosts.adopt(origin)
            if adopted is not None:
                yield adopted
        if self._hosts.policy(origin) is not None:
            yield from self._fetch_allowed(task)
            return
        self.waiting += 1
        if origin in self._waiting_for_robots:
            self._waiting_for_robots[origin].append(task)
        else:
            self._waiting_for_robots[origin] = [task]
            self._fetch_robots(origin)

    def fetch_deferred(self) -> Iterator[Any]:
        """Fetch what waited until all sitemaps are read; nothing waits from now on."""
        tasks, self._deferred = self._deferred or [], None
        for task in tasks:
            yield from self.fetch(task)

    def fetch_robots(self, origins: Iterable[str]) -> Iterator[Robots]:
        """Fetch the robots.txt of each origin, unless it was requested before."""
        for origin in set(origins):
            known = self._hosts.policy(origin) is not None or origin in self._waiting_for_robots
            if not known and self._hosts.admit(origin):
                adopted = self._hosts.adopt(origin)
                if adopted is not None:
                    yield adopted
                    continue
                self._waiting_for_robots[origin] = []
                self._fetch_robots(origin)

    def page_arrived(self, task: FetchTask) -> None:
        """Give the slot of a page that arrived or failed to what waited for it."""
        self._release(urls.host(task.url))

    def robots_arrived(self, origin: str) -> Iterator[Any]:
        """Fetch what waited for the robots.txt of an origin, or for its slot."""
        self._release(_ROBOTS_SLOT)
        tasks = self._waiting_for_robots.pop(origin, [])
        self.waiting -= len(tasks)
        for task in tasks:
            yield from self._fetch_allowed(task)

    def _defer(self, task: FetchTask) -> bool:
        """Let a task wait if its URL may be a sitemap; return whether it waits."""
        tasks = self._deferred
        if tasks is None or len(tasks) >= MAX_DEFERRED:
            return False
        if not self._files.may_arrive(task.url):
            return False
        tasks.append(task)
        return True

    def _fetch_robots(self, origin: str) -> None:
        if self._slots.acquire(_ROBOTS_SLOT, origin):
            self._actions.robots(origin)

    def _fetch_allowed(self, task: FetchTask) -> Iterator[Any]:
        obstacle = None if task.for_others else self._hosts.fetch_obstacle(task.url)
        if obstacle is not None:
            if task.first is None:  # A recheck leaves the first row.
                yield self._actions.unfetched(task, *obstacle)
            return
        outputs = self._outputs_of_kept(task)
        if outputs is not None:
            yield from outputs
        elif self._slots.acquire(urls.host(task.url), task):
            self._actions.page(task)
        else:
            self.waiting += 1

    def _outputs_of_kept(self, task: FetchTask) -> Iterator[Any] | None:
        """Return what a file of the same URL gives as a page; None if it must be fetched."""
        if task.first is not None:
            return None
        kept = self._files.take(task.url)
        return self._actions.kept(kept, task) if kept is not None else None

    def _release(self, host: str) -> None:
        for released in self._slots.release(host):
            if isinstance(released, str):
                self._actions.robots(released)
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
