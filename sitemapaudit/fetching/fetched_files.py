"""The responses of robots.txt files and sitemaps: a page with the same URL is not fetched again."""

from __future__ import annotations

import zlib
from typing import Final

import msgspec
from msgspec.structs import replace

from sitemapaudit.fetching.body_download import may_be_page
from sitemapaudit.http.response import HTML_TYPES, Response
from sitemapaudit.http.sniffing import looks_like_html
from sitemapaudit.items import Kind, Sitemap
from sitemapaudit.pages.page_reader import SMALL_BYTES

MAX_KEPT: Final = 2**25
"""Bytes of all responses that are kept; each takes about half a kilobyte."""


class FetchedFiles:
    """Keeps the responses of files as a page request would have got them, without large bodies.

    With ``only_other``, HTML is not kept.
    """

    def __init__(self, *, only_other: bool = False) -> None:
        self._unusual: set[str] = set()
        self._only_other = only_other
        self._kept: dict[str, bytes] = {}
        self._taken: dict[str, bytes] = {}
        self._size = 0

    def expect(self, url: str) -> None:
        """Take note of a sitemap that is going to be fetched."""
        if not _has_usual_name(url):
            self._unusual.add(url)

    def may_arrive(self, url: str) -> bool:
        """Return whether the URL is the one of a sitemap, or looks like one."""
        return _has_usual_name(url) or url in self._unusual

    def keep(self, response: Response) -> None:
        """Keep a response; the body of one that is not HTML would not have been downloaded."""
        if _is_skipped(response):
            response = replace(response, body=b"", skipped=True, truncated=False)
        elif self._only_other or len(response.body) > SMALL_BYTES:
            return
        if response.url in self._kept or response.url in self._taken:
            return
        packed = zlib.compress(msgspec.msgpack.encode(response), 1)
        if self._size + len(packed) <= MAX_KEPT:
            self._kept[response.url] = packed
            self._size += len(packed)

    def restore(self, row: Sitemap) -> None:
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
        self.keep(
            Response(
                url,
                row.status,
                headers,
                elapsed=row.elapsed,
                retries=row.retries,
                fetched_at=row.fetched_at,
            )
        )

    def look_up(self, url: str) -> Response | None:
        """Return the response of a URL; None if it was not kept."""
        packed = self._kept.get(url) or self._taken.get(url)
        return _unpacked(packed) if packed else None

    def take(self, url: str) -> Response | None:
        """Return the response of a URL, once; another sitemap can still look it up."""
        packed = self._kept.pop(url, None)
        if packed is None:
            return None
        self._taken[url] = packed
        return _unpacked(packed)


def _unpacked(packed: bytes) -> Response:
    return msgspec.msgpack.decode(zlib.decompress(packed), type=Response)


def _is_skipped(response: Response) -> bool:
    """Return whether a page request would not have read the body."""
    wanted = may_be_page(response.media_type)
    return not (looks_like_html(response.body) if wanted is None else wanted)


def _has_usual_name(url: str) -> bool:
    # Each page is checked, so it must be quick.
    return "sitemap" in url or ".xml" in url or ".txt" in url or ".gz" in url
