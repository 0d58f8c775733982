"""sitemap-too-many-urls: more than 50,000 entries; exactly 50,000 are allowed."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.rules.sitemap.files import (
    PAGE,
    atom,
    atom_entry,
    index,
    item,
    row_of,
    rss,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

LIMIT = 50_000
EDGE = pytest.mark.parametrize(("count", "expected"), [(LIMIT, []), (LIMIT + 1, ["error"])])

FORMATS: dict[str, Callable[[int], str]] = {
    "urlset": lambda count: urlset(*[url()] * count),
    "urlset-without-locs": lambda count: urlset(*["<url/>"] * count),
    "urlset-without-namespace": lambda count: urlset(*[url()] * count, namespace=""),
    "text": lambda count: f"{PAGE}\n" * count,
    "text-with-blank-lines": lambda count: f"{PAGE}\n\n \t\n" * count,
    "text-without-last-break": lambda count: "\n".join([PAGE] * count),
    "rss": lambda count: rss(*[item()] * count),
    "atom": lambda count: atom(*[atom_entry()] * count),
}


SOME = 2_000
"""Entries of a file; the reader counts each in the same way."""


@pytest.mark.parametrize("write", FORMATS.values(), ids=FORMATS)
@EDGE
def test_entries(write: Callable[[int], str], count: int, expected: list[str]) -> None:
    row = row_of(write(SOME))
    assert row.entries == SOME
    assert severities("sitemap-too-many-urls", replace(row, entries=count)) == expected


@pytest.mark.parametrize("name", ["text", "urlset"])
@EDGE
def test_as_many_entries_are_read(name: str, count: int, expected: list[str]) -> None:
    row = row_of(FORMATS[name](count))
    assert row.entries == count
    assert severities("sitemap-too-many-urls", row) == expected


def test_children_of_an_index_are_not_reported() -> None:
    row = row_of(index(*["https://www.example.com/child.xml"] * SOME))
    assert row.entries == SOME
    assert severities("sitemap-too-many-urls", replace(row, entries=LIMIT + 1)) == []


def test_images_are_not_entries() -> None:
    image = '<i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"/>'
    row = row_of(urlset(url(more=image * 100), *[url()] * (SOME - 1)))
    assert row.entries == SOME


@EDGE
def test_entries_after_an_xml_error_count(count: int, expected: list[str]) -> None:
    row = row_of(urlset(url("https://www.example.com/?a&b"), *[url()] * (SOME - 1)))
    assert row.recovered_entries == row.entries == SOME
    row = replace(row, entries=count, recovered_entries=count)
    assert severities("sitemap-too-many-urls", row) == expected


def test_message_contains_the_count() -> None:
    (finding,) = found("sitemap-too-many-urls", replace(row_of(PAGE), entries=LIMIT + 1))
    assert finding.message == "lists 50,001 URLs; at most 50,000 are allowed"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
