"""sitemap-too-many-urls: more than 50,000 entries; just that many pass."""

from collections.abc import Callable

import pytest

from tests.rules.sitemap.files import (
    PAGE,
    answer,
    atom,
    atom_entry,
    index,
    item,
    read,
    row_of,
    rss,
    url,
    urlset,
)
from tests.support import SITEMAP, found, severities

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


@pytest.mark.parametrize("written", FORMATS.values(), ids=FORMATS)
@EDGE
def test_entries(written: Callable[[int], str], count: int, expected: list[str]) -> None:
    row = row_of(written(count))
    assert row.entries == count
    assert severities("sitemap-too-many-urls", row) == expected


def test_children_of_an_index_are_counted_elsewhere() -> None:
    row = row_of(index(*["https://www.example.com/child.xml"] * (LIMIT + 1)))
    assert row.entries == LIMIT + 1
    assert severities("sitemap-too-many-urls", row) == []


def test_images_are_no_entries() -> None:
    image = '<i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"/>'
    row = row_of(urlset(url(more=image * 100), *[url()] * (LIMIT - 1)))
    assert severities("sitemap-too-many-urls", row) == []


@EDGE
def test_entries_behind_a_fault_count_too(count: int, expected: list[str]) -> None:
    row = row_of(urlset(url("https://www.example.com/?a&b"), *[url()] * (count - 1)))
    assert row.recovered == count
    assert severities("sitemap-too-many-urls", row) == expected


@pytest.mark.parametrize("status", [403, 404, 500])
def test_what_was_not_read_is_not_judged(status: int) -> None:
    row = read(answer(f"{PAGE}\n" * (LIMIT + 1), status))
    assert severities("sitemap-too-many-urls", row) == []


def test_message_names_the_count() -> None:
    (finding,) = found("sitemap-too-many-urls", row_of(f"{PAGE}\n" * 50_001))
    assert finding.message == "lists 50,001 URLs, and 50,000 are allowed"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
