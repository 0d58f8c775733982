"""A file in parts has all its entries, and says first what it lists."""

import re
from collections.abc import Callable
from itertools import chain

import pytest

from sitemapaudit.caps import BATCH_ROWS
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entry, Sitemap, SkipReason
from sitemapaudit.sitemaps.file_parts import ReadFile, origins_of, pages_of, read_parts, skip_pages
from sitemapaudit.sitemaps.well_known import WELL_KNOWN
from sitemapaudit.urls.staging import Staging
from tests.sitemaps.files import SITEMAP, listing, read

SITE = "https://example.com"
STAGING = "https://staging.example.net"
NOWHERE = Staging({})


def index(*locs: str) -> str:
    """Return an index of sitemaps that lists these addresses."""
    text = listing(*locs).replace("urlset", "sitemapindex")
    return text.replace("<url>", "<sitemap>").replace("</url>", "</sitemap>")


def parts_of(body: str, staging: Staging = NOWHERE) -> list[Sitemap | list[Entry] | ReadFile]:
    response = Response(SITEMAP, 200, {"content-type": ["application/xml"]}, body.encode())
    return [*read_parts(response, Sitemap(SITEMAP), staging)]


@pytest.mark.parametrize("write", [listing, index])
@pytest.mark.parametrize("number", [0, 1, BATCH_ROWS, BATCH_ROWS + 1, 3 * BATCH_ROWS + 2])
def test_parts_have_all_entries_and_the_file_comes_before_the_last(
    number: int, write: Callable[..., str]
) -> None:
    urls = [f"{SITE}/{place}" for place in range(number)]
    parts = parts_of(write(*urls))
    batches = [part for part in parts if isinstance(part, list)]
    assert [entry.url for entry in chain.from_iterable(batches)] == urls
    assert [entry.position for entry in chain.from_iterable(batches)] == [*range(1, number + 1)]
    (file,) = (part for part in parts if isinstance(part, ReadFile))
    assert parts.index(file) == max(0, len(parts) - 2)
    assert (file.row.entries, file.row.complete) == (number, True)
    assert file.children == (urls if write is index else [])
    beginning = [part for part in parts if isinstance(part, Sitemap)]
    assert [row.complete for row in beginning] == [False] * (number > BATCH_ROWS)
    assert parts[: len(beginning)] == beginning


def test_urls_of_staging_are_those_of_the_site() -> None:
    locs = (f"{STAGING}/a", f"{SITE}/b", "no address")
    staging = Staging({SITE: STAGING})
    (file, entries) = parts_of(index(*locs), staging)
    assert isinstance(entries, list)
    assert [entry.url for entry in entries] == [f"{SITE}/a", f"{SITE}/b", None]
    assert [entry.loc for entry in entries] == [*locs]
    assert isinstance(file, ReadFile)
    assert file.children == [f"{SITE}/a", f"{SITE}/b"]


def test_pages_are_entries_with_a_url_and_no_sitemaps() -> None:
    locs = (f"{SITE}/a", "no address", f"{SITE}/b")
    pages, sitemaps = read(listing(*locs))[1], read(index(*locs))[1]
    assert [url for _, url in pages_of(pages)] == [f"{SITE}/a", f"{SITE}/b"]
    assert [*pages_of(sitemaps)] == []
    for entries in (pages, sitemaps):
        skip_pages(entries)
    assert [entry.skip_reason for entry in pages] == [SkipReason.PAGES, None, SkipReason.PAGES]
    assert [entry.skip_reason for entry in sitemaps] == [None] * 3


def test_origins_are_found_in_their_order() -> None:
    others = (f"{SITE}/a", f"{SITE}/b", "no address", "https://example.com.net/", f"{SITE}/c")
    (_, entries) = read(listing(*others))
    assert [*origins_of(entries)] == [SITE, "https://example.com.net", SITE]


def test_the_usual_places_are_different_paths_of_sitemaps_and_feeds() -> None:
    assert len({*WELL_KNOWN}) == len(WELL_KNOWN)
    for path in WELL_KNOWN:
        assert re.fullmatch(r"(/[a-z0-9_-]+){1,2}\.(xml|xml\.gz|txt|php)", path), path
