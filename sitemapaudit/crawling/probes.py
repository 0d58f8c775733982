"""Probes: one request per host for a random URL that cannot exist."""

import secrets

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.hosts.host import HostTable
from sitemapaudit.items import Page, Role, Verdict
from sitemapaudit.pages.soft404 import THIN_TEXT_WORDS
from sitemapaudit.urls.url_set import UrlSet


class Probes:
    """Decides which hosts get a probe.

    Pages that could be error pages are compared with the probe: those with little text, and those
    with the text of another page. The home page always exists; ``path`` is the site's, without a
    slash at its end. A ``shard`` does not see all pages, so any of its pages could be a repeat.
    """

    def __init__(self, hosts: HostTable, *, path: str = "", shard: bool = False) -> None:
        self._hosts = hosts
        self._path = path
        self._shard = shard
        self._texts = UrlSet()

    def probe_for(self, page: Page) -> FetchTask | None:
        """Return a probe if this page is the first of its host that needs one."""
        origin = self._hosts.origin_of(page.url)
        if origin.is_probed or not self._needs_probe(page, origin.name):
            return None
        origin.is_probed = True
        url = f"{origin.name}{self._path}/{secrets.token_hex(12)}"
        return FetchTask(url, Role.PROBE, page.url)

    def restore(self, page: Page) -> None:
        """Take over a page that was fetched before the run was resumed."""
        if page.role is Role.PROBE:
            self._hosts.origin_of(page.url).is_probed = True

    def _needs_probe(self, page: Page, origin: str) -> bool:
        if page.role is not Role.LISTED or page.verdict is not Verdict.INDEXABLE:
            return False
        if page.words is None or page.content_hash is None or page.url == f"{origin}{self._path}/":
            return False
        repeated = not self._texts.add(f"{origin} {page.content_hash}")
        return page.words < THIN_TEXT_WORDS or repeated or self._shard
