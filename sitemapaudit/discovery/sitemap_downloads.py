"""The responses of sitemaps until they are read: each URL is fetched once."""

from __future__ import annotations

import asyncio

from sitemapaudit.discovery.sitemap_queue import MAX_IN_FLIGHT
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.http.response import Response
from sitemapaudit.urls.url_set import UrlSet


class SitemapDownloads:
    """Shares a response between a sitemap and the others that redirect to it."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._read = UrlSet()
        self._downloads: dict[str, asyncio.Task[Response]] = {}

    async def fetch(self, url: str) -> Response:
        """Return the response of a URL; without its body if that was read before."""
        known = self._fetcher.files.look_up(url) if url in self._read else None
        if known is not None:
            return known
        if url not in self._downloads:
            request = self._fetcher.sitemap_request(url)
            self._downloads[url] = asyncio.create_task(self._fetcher.fetch_file(request))
        response = await self._downloads[url]
        if response.status in REDIRECT_STATUSES:
            self.drop(url)  # Its body is not read.
        return response

    def mark_read(self, url: str) -> None:
        """Drop a body that is read now, and that nothing reads again."""
        if self._downloads.pop(url, None) is not None:
            self._read.add(url)

    def drop(self, url: str) -> None:
        """Drop a body that nothing has read."""
        self._downloads.pop(url, None)

    def drop_excess(self, url: str) -> None:
        """Drop a body if too many wait; it is fetched again when it is read."""
        if len(self._downloads) > MAX_IN_FLIGHT:
            self.drop(url)

    def cancel(self) -> None:
        """Cancel every download."""
        for download in self._downloads.values():
            download.cancel()
