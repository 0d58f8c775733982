"""Which URLs are asked for: each once, and none that its robots.txt forbids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from scrapy import Request

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.crawling.hosts import Hosts
from sitemapaudit.crawling.urlset import UrlSet
from sitemapaudit.items import Entries, Entry, Kind, LeftOut, Page, Role
from sitemapaudit.pages.verdict import judge


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
    asked for: so a slow host holds up nobody else.
    """

    def __init__(
        self,
        config: Config,
        hosts: Hosts,
        page_request: Callable[[Wanted], Request],
        robots_request: Callable[[str], Request],
    ) -> None:
        self.parked = 0
        self._arguments = config.arguments
        self._draws = config.draws
        self._max_urls = config.settings.max_urls
        self._hosts = hosts
        self._page_request = page_request
        self._robots_request = robots_request
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
        """Take a listed URL as asked for; None if it was before, or a limit is met."""
        if self._is_beyond_limits(url) or not self._asked.add(url):
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
            yield self._decide(wanted)
            return
        self.parked += 1
        if origin in self._waiting:
            self._waiting[origin].append(wanted)
        else:
            self._waiting[origin] = [wanted]
            yield self._robots_request(origin)

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
                yield self._robots_request(origin)

    def release(self, origin: str) -> Iterator[Request | Page]:
        """Decide of what waited for a robots.txt that was read now."""
        waiting = self._waiting.pop(origin, [])
        self.parked -= len(waiting)
        for wanted in waiting:
            yield self._decide(wanted)

    def _decide(self, wanted: Wanted) -> Request | Page:
        obstacle = self._hosts.obstacle(wanted.url)
        if obstacle is None:
            return self._page_request(wanted)
        error, detail = obstacle
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
        if not arguments.shard.holds(url):
            return LeftOut.SHARD
        return LeftOut.LIMIT if self._is_beyond_limits(url) else None

    def _is_beyond_limits(self, url: str) -> bool:
        if url in self._asked:
            return False
        full = bool(self._max_urls) and self._listed >= self._max_urls
        return full or not self._hosts.admit(urls.origin(url))
