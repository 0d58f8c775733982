"""A sitemap in parts: its row, and its entries in batches."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entry, Kind, Sitemap, SkipReason
from sitemapaudit.sitemaps.sitemap_reader import SitemapReader
from sitemapaudit.urls.staging import Staging


class ReadFile(Struct, frozen=True):
    """A file that was read to its end: its row, and the sitemaps that it lists."""

    row: Sitemap
    children: list[str]


def read_parts(
    response: Response, row: Sitemap, staging: Staging
) -> Iterator[Sitemap | list[Entry] | ReadFile]:
    """Yield the entries of a file, and what was read before the last batch of them.

    A long file also has an incomplete row at its beginning, which remains if the run ends early.
    URLs of ``staging`` become those of the site.
    """
    batches = _batches(response, row, staging)
    children: list[str] = []
    batch = next(batches, [])
    while batch:
        children += _children(batch)
        following = next(batches, [])
        if not following:
            break
        if batch[0].position == 1:
            yield replace(row, complete=False)
        yield batch
        batch = following
    yield ReadFile(row, children)
    if batch:
        yield batch


def _batches(response: Response, row: Sitemap, staging: Staging) -> Iterator[list[Entry]]:
    for batch in SitemapReader(response, row).batches():
        if staging.origins:
            _map_urls(batch, staging)
        yield batch


def _map_urls(entries: Iterable[Entry], staging: Staging) -> None:
    for entry in entries:
        if entry.url is not None:  # A loc may name staging; that is a finding.
            entry.url = staging.site_url(entry.url)


def _children(entries: Sequence[Entry]) -> list[str]:
    """Return the sitemaps that consecutive entries of one file list."""
    if entries[0].kind is not Kind.SITEMAPINDEX:
        return []
    return [entry.url for entry in entries if entry.url is not None]


def pages_of(entries: Iterable[Entry]) -> Iterator[tuple[Entry, str]]:
    """Yield the entries that list pages, with their URLs."""
    for entry in entries:
        if entry.kind is not Kind.SITEMAPINDEX and entry.url is not None:
            yield entry, entry.url


def skip_pages(entries: Sequence[Entry]) -> None:
    """Record that the pages of consecutive entries of one file are not fetched."""
    if entries[0].kind is Kind.SITEMAPINDEX:
        return
    reason = SkipReason.PAGES
    for entry in entries:
        if entry.url is not None:
            entry.skip_reason = reason


def origins_of(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the origins of the URLs of entries, some of them several times."""
    start = "/"
    for entry in entries:
        if entry.url and not entry.url.startswith(start):
            origin = urls.origin(entry.url)
            start = f"{origin}/"
            yield origin
