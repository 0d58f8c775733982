"""index-too-many-sitemaps: more than 50,000 children; exactly 50,000 are allowed."""

import json

import pytest

from sitemapaudit.items import Kind, Sitemap
from tests.rules.sitemap.files import index, row_of, rules_on
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "index-too-many-sitemaps"
LIMIT = 50_000


@pytest.mark.parametrize(("count", "expected"), [(LIMIT, []), (LIMIT + 1, ["error"])])
def test_children_of_an_index(count: int, expected: list[str]) -> None:
    row = row_of(index(*(f"https://www.example.com/{number}.xml" for number in range(count))))
    assert row.entries == count
    assert severities(RULE, row) == expected
    assert "sitemap-too-many-urls" not in rules_on(row)


def test_repeats_and_children_without_a_loc_count() -> None:
    row = row_of(index(*[SITEMAP, ""] * (LIMIT // 2), SITEMAP))
    assert severities(RULE, row) == ["error"]


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.SITEMAPINDEX])
def test_other_formats_are_not_checked(kind: Kind) -> None:
    assert severities(RULE, Sitemap(SITEMAP, kind=kind, entries=LIMIT + 1)) == []


def test_message_and_evidence() -> None:
    row = Sitemap(SITEMAP, kind=Kind.SITEMAPINDEX, entries=LIMIT + 1)
    (finding,) = found(RULE, row)
    assert finding.message == "lists 50,001 sitemaps; at most 50,000 are allowed"
    assert finding.sitemap == SITEMAP
    assert json.loads(finding.evidence or "") == {"entries": LIMIT + 1, "limit": LIMIT}
