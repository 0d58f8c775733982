"""What an answer leads to: targets of redirects, canonicals, alternates, and a random address."""

from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.crawling.frontier import Wanted
from sitemapaudit.crawling.hosts import Hosts
from sitemapaudit.crawling.probing import Probes
from sitemapaudit.datasets.urls import MAX_HOPS
from sitemapaudit.items import Page, Role


class Leads:
    """Names the addresses that are to be asked for because of a page."""

    def __init__(self, config: Config, hosts: Hosts) -> None:
        self._follow = config.arguments.follow
        self._hosts = hosts
        self._probes = Probes(shard=config.arguments.shard.count > 1)

    def restore(self, page: Page) -> None:
        """Take note of an answer that came before the run was resumed."""
        self._probes.restore(page)

    def of(self, page: Page, steps: int) -> Iterator[Wanted]:
        """Yield what a page leads to that is so many steps from a listed one."""
        if steps >= MAX_HOPS:
            return
        for url, role in self._targets(page):
            yield Wanted(url, role, page.url, steps + 1)
        probe = self._probes.wanted(page)
        if probe is not None:
            yield probe

    def _targets(self, page: Page) -> Iterator[tuple[str, Role]]:
        """Yield where a page leads to, as far as that is to be followed.

        From a page of another host only redirects are: what that host
        declares of its own pages is not for this audit.
        """
        if Role.REDIRECT in self._follow and page.target is not None:
            yield page.target, Role.REDIRECT
        if page.role is not Role.LISTED and urls.origin(page.url) not in self._hosts.audited:
            return
        if Role.CANONICAL in self._follow and page.canonical is not None:
            yield page.canonical, Role.CANONICAL
        if Role.HREFLANG in self._follow:
            for alternate in page.alternates:
                if alternate.url is not None:
                    yield alternate.url, Role.HREFLANG
