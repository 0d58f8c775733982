"""Selection of the URLs to fetch: each once, if arguments and limits allow it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.link_limits import LinkLimits
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.items import Entry, MediaFile, Page, Role, SkipReason
from sitemapaudit.sitemaps.file_parts import pages_of, skip_pages
from sitemapaudit.urls.url_set import UrlSet

if TYPE_CHECKING:
    from sitemapaudit.fetching.build_site import BuildSite


class Selection:
    """Decides whether to fetch a URL, and remembers the selected ones.

    ``is_limited`` says whether a limit skipped a listed URL, ``has_alternates`` whether an entry or
    a page declares an alternate. ``skipped_media`` counts the images and videos that each limit
    skipped.
    """

    def __init__(self, config: Config, hosts: Hosts, build: BuildSite | None) -> None:
        self._arguments = config.arguments
        self._samples = config.samples
        self._shard = config.arguments.shard
        limit = config.settings.max_urls
        self._max_urls = self._shard.share_of(limit) if limit else None
        self._max_entries = None if config.draws_pages else self._max_urls
        self._hosts = hosts
        self._build = build
        self._selected = UrlSet()
        self._admitted = UrlSet()
        self._listed_elsewhere = UrlSet()
        self._listed = 0
        self.is_limited = False
        self.has_alternates = False
        self.link_limits = LinkLimits(config)
        self._media = 0
        self._unchecked_media = UrlSet()
        self.skipped_media = Counter[str]()

    def restore(self, page: Page) -> None:
        """Mark a page as selected that was fetched before the run was resumed."""
        if not self._selected.add(page.url):
            return
        if page.role is Role.LISTED:
            self._listed += 1
            self._hosts.table.of(page.url).is_listed = True
        elif page.role is Role.BUILT:
            self._listed += 1
        elif page.role is Role.LINK:
            self.link_limits.restore(page.url)

    def select_entries(self, entries: Sequence[Entry]) -> list[FetchTask]:
        """Set the skip reasons of entries; return tasks for the URLs to fetch now.

        A sample is drawn when every entry is known; nothing is fetched before. With pages=none,
        only URLs at which a build has no page are fetched.
        """
        selected = pages_of(entries)
        if self._arguments.pages == "none":
            skip_pages(entries)
            selected = (each for each in selected if self._is_without_page(each[1]))
        return [task for entry, url in selected if (task := self._select_entry(entry, url))]

    def _is_without_page(self, url: str) -> bool:
        return self._build is not None and self._build.is_without_page(url)

    def _select_entry(self, entry: Entry, url: str) -> FetchTask | None:
        entry.skip_reason = self._skip_reason(url, entry)
        if entry.alternates:
            self.has_alternates = True
        return None if entry.skip_reason or self._samples else self._select(url)

    def select_listed(self, url: str) -> FetchTask | None:
        """Select a URL of an entry without a skip reason, or of a sample.

        None if it was selected, or is another shard's. AUDIT_MAX_URLS was applied to the entries,
        or when the sample was drawn.
        """
        may_fetch = self._shard.owns(url) and self._hosts.admit(urls.origin(url))
        return self._select(url) if may_fetch else None

    def admits(self, url: str) -> bool:
        """Return whether the limits let a listed URL be fetched that they skipped before."""
        return self._limit_reason(url) is None

    def restore_entry(self, url: str) -> None:
        """Count a URL that AUDIT_MAX_URLS admitted, and that is fetched when all are known."""
        if self._max_entries is not None and self._samples:
            self._admitted.add(url)

    def _select(self, url: str) -> FetchTask | None:
        if not self._selected.add(url):
            return None
        self._listed += 1
        self._hosts.table.of(url).is_listed = True
        return FetchTask(url)

    def select_target(self, task: FetchTask) -> bool:
        """Select a URL that a page leads to; False if it was selected before or hits a limit."""
        return self._hosts.admit(urls.origin(task.url)) and self._selected.add(task.url)

    def select_alternate(self, url: str, via: str) -> FetchTask | None:
        """Select an alternate that no sitemap lists; None if it must not be fetched.

        The shard that finds it fetches it, as it does a target of a redirect.
        """
        task = FetchTask(url, Role.HREFLANG, via, steps=1)
        is_new = not self.is_selected(url) and url not in self._listed_elsewhere
        return task if is_new and self._may_lead_to(url) and self.select_target(task) else None

    def leave_to_others(self, url: str) -> None:
        """Note a listed URL that another shard fetches."""
        self._listed_elsewhere.add(url)

    def is_selected(self, url: str) -> bool:
        """Return whether a URL was selected."""
        return url in self._selected

    def select_linked(self, url: str) -> FetchTask | None:
        """Select a linked URL that no sitemap lists; None if it must not be fetched now."""
        task = FetchTask(url, Role.LINK)
        if self.is_selected(url) or not self._shard.owns(url) or not self._may_lead_to(url):
            return None
        return task if self.link_limits.admit(url) and self.select_target(task) else None

    def _may_lead_to(self, url: str) -> bool:
        """Return whether a URL is not filtered, and on a host of the site or its URLs.

        The same host with or without ``www.`` is one of the site: it usually redirects.
        """
        host = urls.host(url)
        if self._is_filtered(url):
            return False
        bare = host.removeprefix("www.")
        if any(bare == urls.host(f"{site}/").removeprefix("www.") for site in self._hosts.sites):
            return True
        return self._hosts.table.is_listed(host)

    def select_built(self, addresses: Sequence[str]) -> FetchTask | None:
        """Select a page of a build at the first of its URLs; None if it must not be fetched.

        It counts against AUDIT_MAX_URLS: the site serves it as it serves the listed pages.
        """
        task = FetchTask(addresses[0], Role.BUILT)
        is_ours = self._shard.owns(task.url) and not self._is_filtered(task.url)
        if not is_ours or any(map(self.is_selected, addresses)):
            return None
        if self._max_urls is not None and self._listed >= self._max_urls:
            self.link_limits.skipped["AUDIT_MAX_URLS"] += 1
            return None
        self._listed += 1
        return task if self.select_target(task) else None

    def _is_filtered(self, url: str) -> bool:
        """Return whether include or exclude skip a URL that no sitemap lists."""
        arguments = self._arguments
        if arguments.include and not arguments.include.search(url):
            return True
        return bool(arguments.exclude and arguments.exclude.search(url))

    def restore_media(self, row: MediaFile) -> None:
        """Mark an image or a video as selected that was checked before the run was resumed."""
        if self._selected.add(row.url) and row.via is None:
            self._media += 1

    def select_media(self, url: str) -> bool:
        """Select a listed image or video; False if it was selected, is not ours, or hits a limit.

        A file that was fetched as a page was selected then.
        """
        if self.is_selected(url) or not self._shard.owns(url):
            return False
        is_limited = self._max_urls is not None and self._media >= self._max_urls
        if is_limited or not self.select_target(FetchTask(url)):
            limit = "AUDIT_MAX_URLS" if is_limited else "AUDIT_MAX_HOSTS"
            if self._unchecked_media.add(url):
                self.skipped_media[limit] += 1
            return False
        self._media += 1
        return True

    def _skip_reason(self, url: str, entry: Entry) -> SkipReason | None:
        arguments = self._arguments
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
        if url in self._selected or url in self._admitted:
            return None
        listed = len(self._admitted) if self._samples else self._listed
        if self._max_entries is not None and listed >= self._max_entries:
            self.is_limited = True
            return SkipReason.LIMIT
        if not self._hosts.admit(urls.origin(url)):
            return SkipReason.HOSTS
        self.restore_entry(url)
        return None
