"""The responses of robots.txt files and sitemaps: each is fetched once for all parts of a run."""

import asyncio
import time
import zlib
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace
from scrapy import Request

from sitemapaudit.fetching.body_download import may_be_page
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.http.response import HTML_TYPES, Response
from sitemapaudit.http.sniffing import looks_like_html
from sitemapaudit.items import Kind, Robots, Sitemap
from sitemapaudit.pages.page_reader import SMALL_BYTES
from sitemapaudit.urls.url_set import UrlSet

MAX_KEPT: Final = 2**25
"""The limit for all kept responses in bytes; each takes about 0.5 kB."""

_MAX_ROBOTS: Final = 65_536
"""A longer robots.txt is not kept with its body, and may be fetched again."""


class Responses:
    """Fetches robots.txt files and sitemaps, and keeps their responses.

    Concurrent callers for the same URL share its request. The body of a sitemap is dropped once it
    has been read; that of a robots.txt is kept for other hosts that redirect to it. A page with the
    same URL gets the response as a page request would have returned it. Without ``keeps_html``, it
    gets no HTML.
    """

    def __init__(self, fetcher: Fetcher, *, keeps_html: bool = True) -> None:
        self._fetcher = fetcher
        self._keeps_html = keeps_html
        self._unusual: set[str] = set()
        self._unread: dict[str, asyncio.Task[Response]] = {}
        self._read = UrlSet()
        self._kept: dict[str, bytes] = {}
        self._taken: set[str] = set()
        self._size = 0
        self._began: dict[str, float] = {}

    def longest_wait(self) -> tuple[str, float]:
        """Return the URL that has not arrived for the longest time, and its seconds; "" if none."""
        url, began = next(iter(self._began.items()), ("", time.monotonic()))
        return url, time.monotonic() - began

    def expect(self, url: str) -> None:
        """Record that a sitemap will be fetched."""
        if not _has_usual_name(url):
            self._unusual.add(url)

    def may_arrive(self, url: str) -> bool:
        """Return whether a URL is that of a sitemap, or looks like one."""
        return _has_usual_name(url) or url in self._unusual

    async def robots(self, url: str) -> Response:
        """Return the response of a robots.txt."""
        known = self._find(url)
        if known is not None and _is_whole(known):
            return known
        response = await self._fetch(url, self._fetcher.robots_request, keeps_body=True)
        self.drop(url)
        return response

    async def sitemap(self, url: str) -> Response:
        """Return the response of a sitemap, without its body if that has already been read."""
        known = self._find(url)
        if known is not None and (url in self._read or _is_whole(known)):
            return known
        response = await self._fetch(url, self._fetcher.sitemap_request)
        if response.status in REDIRECT_STATUSES:
            self.drop(url)  # Its body is not read.
        return response

    @property
    def unread(self) -> int:
        """The number of bodies of sitemaps that wait to be read."""
        return len(self._unread)

    def mark_read(self, url: str) -> None:
        """Drop a body that is being read and will not be read again."""
        if self._unread.pop(url, None) is not None:
            self._read.add(url)

    def drop(self, url: str) -> None:
        """Drop a body that nothing has read."""
        self._unread.pop(url, None)

    def take(self, url: str) -> Response | None:
        """Return the response of a URL for a page, once; None if it must be fetched."""
        if url not in self._kept or url in self._taken:
            return None
        response = _as_page(_unpack(self._kept[url]))
        if not self._suits_page(response):
            return None
        self._taken.add(url)
        return response

    def restore_sitemap(self, row: Sitemap) -> None:
        """Keep the response of a sitemap that was read before the run was resumed."""
        url, is_other = row.final_url, row.content_type not in (None, *HTML_TYPES)
        if row.kind is Kind.HTML or not is_other or "headers" in row.truncated_columns:
            return
        if url is None:
            return
        headers: dict[str, list[str]] = {}
        for line in row.headers:
            name, _, value = line.partition(": ")
            headers.setdefault(name, []).append(value)
        self._keep(
            Response(
                url,
                row.status,
                headers,
                elapsed=row.elapsed,
                retries=row.retries,
                fetched_at=row.fetched_at,
            )
        )
        self._read.add(url)

    def restore_robots(self, row: Robots) -> None:
        """Keep the response of a robots.txt that was read before the run was resumed."""
        if row.text is None or not row.final_url or not row.status:
            return
        media_type = {"content-type": [row.content_type]} if row.content_type else {}
        body = row.text.encode()
        self._keep(
            Response(row.final_url, row.status, media_type, body, fetched_at=row.fetched_at),
            keeps_body=True,
        )
        self._taken.add(row.final_url)  # A page also needs the other headers.

    async def _fetch(
        self, url: str, make_request: Callable[[str], Request], *, keeps_body: bool = False
    ) -> Response:
        """Fetch a URL; concurrent callers share the request."""
        if url not in self._unread:
            fetch = self._fetch_and_keep(make_request(url), keeps_body=keeps_body)
            self._unread[url] = asyncio.create_task(fetch)
        return await self._unread[url]

    async def _fetch_and_keep(self, request: Request, *, keeps_body: bool) -> Response:
        self._began[request.url] = time.monotonic()
        try:
            response = await self._fetcher.fetch(request)
        finally:
            del self._began[request.url]
        self._keep(response, keeps_body=keeps_body)
        return response

    def _keep(self, response: Response, *, keeps_body: bool = False) -> None:
        """Keep a response: with its body, or in the form for a page if a page can use it."""
        if not keeps_body or len(response.body) > _MAX_ROBOTS:
            response = _as_page(response)
            if not self._suits_page(response) and response.status not in REDIRECT_STATUSES:
                return
        if response.url in self._kept:
            return
        packed = zlib.compress(msgspec.msgpack.encode(response), 1)
        if self._size + len(packed) <= MAX_KEPT:
            self._kept[response.url] = packed
            self._size += len(packed)

    def _suits_page(self, response: Response) -> bool:
        """Return whether a page can use a response; a browser loads HTML itself."""
        return response.skipped or (self._keeps_html and len(response.body) <= SMALL_BYTES)

    def _find(self, url: str) -> Response | None:
        packed = self._kept.get(url)
        return _unpack(packed) if packed else None


def _unpack(packed: bytes) -> Response:
    return msgspec.msgpack.decode(zlib.decompress(packed), type=Response)


def _as_page(response: Response) -> Response:
    """Return a response as a page request returns it: a body that is not HTML is skipped."""
    wanted = may_be_page(response.media_type)
    if looks_like_html(response.body) if wanted is None else wanted:
        return response
    return replace(response, body=b"", skipped=True, truncated=False)


def _is_whole(response: Response) -> bool:
    """Return whether a response contains everything that sitemaps and robots.txt are read from."""
    return not response.skipped or response.status in REDIRECT_STATUSES


def _has_usual_name(url: str) -> bool:
    # This is called for each page, so it must be fast.
    return "sitemap" in url or ".xml" in url or ".txt" in url or ".gz" in url
