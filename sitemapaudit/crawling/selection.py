"""Which URLs are fetched: each once, and only those that arguments and limits allow."""

from __future__ import annotations

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.hosts import Hosts
from sitemapaudit.items import Entry, Kind, MediaFile, Page, Role, SkipReason
from sitemapaudit.urls.url_set import UrlSet


class Selection:
    """Decides per URL whether to fetch it, and remembers the URLs that were selected."""

    def __init__(self, config: Config, hosts: Hosts) -> None:
        self._arguments = config.arguments
        self._samples = config.samples
        self._shard = config.arguments.shard
        limit = config.settings.max_urls
        self._max_urls = self._shard.share_of(limit) if limit else None
        self._hosts = hosts
        self._selected = UrlSet()
        self._listed = 0
        self._media = 0

    def restore(self, page: Page) -> None:
        """Mark a page as selected that was fetched before the run was resumed."""
        if self._selected.add(page.url) and page.role is Role.LISTED:
            self._listed += 1

    def select_entry(self, entry: Entry) -> FetchTask | None:
        """Set the skip reason of an entry; return a task if its URL is to be fetched now.

        A sample is drawn when every entry is known: until then, nothing is fetched.
        """
        url = entry.url
        if url is None or entry.kind is Kind.SITEMAPINDEX:
            return None
        entry.skip_reason = self._skip_reason(url, entry)
        if entry.skip_reason or self._samples:
            return None
        return self.select_listed(url)

    def select_listed(self, url: str) -> FetchTask | None:
        """Select a listed URL; None if it was selected before, is not ours, or hits a limit."""
        if not self._shard.owns(url) or self._limit_reason(url) or not self._selected.add(url):
            return None
        self._listed += 1
        return FetchTask(url)

    def select_target(self, task: FetchTask) -> bool:
        """Select a URL that a page leads to; False if it was selected before or hits a limit."""
        return self._hosts.admit(urls.origin(task.url)) and self._selected.add(task.url)

    def restore_media(self, row: MediaFile) -> None:
        """Mark an image or a video as selected that was checked before the run was resumed."""
        if self._selected.add(row.url) and row.via is None:
            self._media += 1

    def select_media(self, url: str) -> bool:
        """Select a listed image or video; False if it was selected, is not ours, or hits a limit.

        One that was fetched as a page was selected then.
        """
        if self._max_urls is not None and self._media >= self._max_urls:
            return False
        if not self._shard.owns(url) or not self.select_target(FetchTask(url)):
            return False
        self._media += 1
        return True

    def _skip_reason(self, url: str, entry: Entry) -> SkipReason | None:
        arguments = self._arguments
        if arguments.pages == "none":
            return SkipReason.PAGES
        if arguments.include and not arguments.include.search(url):
            return SkipReason.INCLUDE
        if arguments.exclude and arguments.exclude.search(url):
            return SkipReason.EXCLUDE
        if arguments.since and (entry.lastmod_at is None or entry.lastmod_at < arguments.since):
            return SkipReason.SINCE
        if not self._shard.owns(url):
            return SkipReason.SHARD
        return self._limit_reason(url)

    def _limit_reason(self, url: str) -> SkipReason | None:
        if url in self._selected:
            return None
        if self._max_urls is not None and self._listed >= self._max_urls:
            return SkipReason.LIMIT
        return None if self._hosts.admit(urls.origin(url)) else SkipReason.HOSTS
