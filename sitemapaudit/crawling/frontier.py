"""Which URLs are asked for: each once, and none that its robots.txt forbids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from scrapy import Request

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.crawling.hosts import Hosts
from sitemapaudit.crawling.turns import Turns
from sitemapaudit.items import Entries, Entry, Error, Kind, LeftOut, Page, Role
from sitemapaudit.pages.verdict import judge
from sitemapaudit.urlset import UrlSet

_ROBOTS: Final = "robots.txt"
"""What stands for a host among the turns where it is about the robots.txt of any."""


@dataclass(slots=True, frozen=True)
class Wanted:
    """A URL to ask for: why, which page led to it, and how many steps from a listed one."""

    url: str
    role: Role = Role.LISTED
    via: str | None = None
    steps: int = 0


class Frontier:
    """Decides of each URL whether, and makes the requests.

    A URL of a host whose robots.txt was not read yet is parked, and robots.txt
    asked for; so is one of a host that has enough requests under way: a slow
    host holds up nobody else.
    """

    def __init__(
        self,
        config: Config,
        hosts: Hosts,
        page_request: Callable[[Wanted], Request],
        robots_request: Callable[[str], Request],
        turns: Turns[Wanted | str],
    ) -> None:
        self.parked = 0
        self._arguments = config.arguments
        self._draws = config.draws
        self._shard = config.arguments.shard
        limit = config.settings.max_urls
        self._max_urls = self._shard.part_of(limit) if limit else None
        self._hosts = hosts
        self._page_request = page_request
        self._robots_request = robots_request
        self._turns = turns
        self._asked = UrlSet()
        self._listed = 0
        self._waiting: dict[str, list[Wanted]] = {}

    def restore(self, page: Page) -> None:
        """Take a page as asked for that was answered before the run was resumed."""
        if self._asked.add(page.url) and page.role is Role.LISTED:
            self._listed += 1

    def choose(self, entry: Entry) -> Wanted | None:
        """Mark an entry that is left out; return its URL if it is to be asked for now.

        A sample is drawn when every entry is known: until then nothing is.
        """
        url = entry.url
        if url is None or entry.kind is Kind.SITEMAPINDEX:
            return None
        entry.left_out = self._left_out(url, entry)
        if entry.left_out or self._draws:
            return None
        return self.claim(url)

    def claim(self, url: str) -> Wanted | None:
        """Take a listed URL as asked for; None if it was before, is not ours, or a limit is met."""
        if not self._shard.holds(url) or self._beyond_limits(url) or not self._asked.add(url):
            return None
        self._listed += 1
        return Wanted(url)

    def target(self, wanted: Wanted) -> Iterator[Request | Page]:
        """Ask for a URL that a page leads to, unless it was asked for before."""
        if self._hosts.admit(urls.origin(wanted.url)) and self._asked.add(wanted.url):
            yield from self.ask(wanted)

    def ask(self, wanted: Wanted) -> Iterator[Request | Page]:
        """Ask for a URL; a page stands for one that may not be asked for."""
        origin = urls.origin(wanted.url)
        if self._hosts.policy(origin) is not None:
            yield from self._decide(wanted)
            return
        self.parked += 1
        if origin in self._waiting:
            self._waiting[origin].append(wanted)
        else:
            self._waiting[origin] = [wanted]
            yield from self._ask_robots(origin)

    def answered(self, wanted: Wanted) -> Iterator[Request]:
        """Ask for what waited until a page was answered."""
        yield from self._go_on(urls.host(wanted.url))

    def introduce(self, entries: Entries) -> Iterator[Request]:
        """Ask for the robots.txt of each host that entries name, whether or not they are asked for.

        It tells whether that host lets the sitemap speak for it.
        """
        yield from self.get_to_know(urls.origin(entry.url) for entry in entries.rows if entry.url)

    def get_to_know(self, origins: Iterable[str]) -> Iterator[Request]:
        """Ask for the robots.txt of each origin, unless it was asked for."""
        for origin in set(origins):
            known = self._hosts.policy(origin) is not None or origin in self._waiting
            if not known and self._hosts.admit(origin):
                self._waiting[origin] = []
                yield from self._ask_robots(origin)

    def release(self, origin: str) -> Iterator[Request | Page]:
        """Decide of what waited for a robots.txt that was read now."""
        yield from self._go_on(_ROBOTS)
        waiting = self._waiting.pop(origin, [])
        self.parked -= len(waiting)
        for wanted in waiting:
            yield from self._decide(wanted)

    def _ask_robots(self, origin: str) -> Iterator[Request]:
        if self._turns.enter(_ROBOTS, origin):
            yield self._robots_request(origin)

    def _decide(self, wanted: Wanted) -> Iterator[Request | Page]:
        obstacle = self._hosts.obstacle(wanted.url)
        if obstacle is not None:
            yield self._forbidden(wanted, *obstacle)
        elif self._turns.enter(urls.host(wanted.url), wanted):
            yield self._page_request(wanted)
        else:
            self.parked += 1

    def _go_on(self, host: str) -> Iterator[Request]:
        for waiting in self._turns.leave(host):
            if isinstance(waiting, str):
                yield self._robots_request(waiting)
            else:
                self.parked -= 1
                yield self._page_request(waiting)

    def _forbidden(self, wanted: Wanted, error: Error | None, detail: str) -> Page:
        page = Page(wanted.url, wanted.role, wanted.via, error=error, error_detail=detail)
        page.allowed = False if error is None else None
        page.verdict = judge(page)
        return page

    def _left_out(self, url: str, entry: Entry) -> LeftOut | None:
        arguments = self._arguments
        if arguments.pages == "none":
            return LeftOut.PAGES
        if arguments.include and not arguments.include.search(url):
            return LeftOut.INCLUDE
        if arguments.exclude and arguments.exclude.search(url):
            return LeftOut.EXCLUDE
        if arguments.since and (entry.lastmod_at is None or entry.lastmod_at < arguments.since):
            return LeftOut.SINCE
        if not self._shard.holds(url):
            return LeftOut.SHARD
        return self._beyond_limits(url)

    def _beyond_limits(self, url: str) -> LeftOut | None:
        if url in self._asked:
            return None
        if self._max_urls is not None and self._listed >= self._max_urls:
            return LeftOut.LIMIT
        return None if self._hosts.admit(urls.origin(url)) else LeftOut.HOSTS
