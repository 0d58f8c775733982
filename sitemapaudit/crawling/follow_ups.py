"""Follow-ups of a page: targets of redirects and canonicals, and probes."""

from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.probes import Probes
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.items import Page, Role


class FollowUps:
    """Returns the URLs that are fetched because of a page."""

    def __init__(self, config: Config, hosts: Hosts) -> None:
        self._follow = config.arguments.follow
        self._hosts = hosts
        self._site_url = config.staging.site_url
        is_shard = config.arguments.shard.count > 1
        self._probes = Probes(hosts.table, path=config.path, shard=is_shard)

    def restore(self, page: Page) -> None:
        """Record a page that was fetched before the run was resumed."""
        self._probes.restore(page)

    def of(self, page: Page, steps: int) -> Iterator[FetchTask]:
        """Yield the follow-ups of a page that is ``steps`` away from a listed page."""
        if steps >= MAX_HOPS:
            return
        for url, role in self._targets(page):
            yield FetchTask(self._site_url(url), role, page.url, steps + 1)
        probe = self._probes.probe_for(page)
        if probe is not None:
            yield probe

    def _targets(self, page: Page) -> Iterator[tuple[str, Role]]:
        """Yield the URLs that a page leads to, if ``follow`` allows them.

        For a page on another host, only redirects are followed: what that host declares about its
        own pages is not part of this audit.
        """
        if Role.REDIRECT in self._follow and page.target is not None:
            yield page.target, Role.REDIRECT
        if page.role is not Role.LISTED and urls.origin(page.url) not in self._hosts.sites:
            return
        if Role.CANONICAL in self._follow and page.canonical is not None:
            yield page.canonical, Role.CANONICAL
