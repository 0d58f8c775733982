"""index-too-many-sitemaps: more than 50,000 children; exactly 50,000 are allowed."""

import json
from dataclasses import replace

import pytest

from sitemapaudit.items import Kind, Sitemap
from tests.rules.sitemap.files import index, row_of, rules_on
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "index-too-many-sitemaps"
LIMIT = 50_000


def test_all_children_of_an_index_count() -> None:
    """Those that are repeated, or have no loc, count as well."""
    row = row_of(index(*[SITEMAP, ""] * (LIMIT // 2), SITEMAP))
    assert row.entries == LIMIT + 1
    assert severities(RULE, row) == ["error"]
    assert "sitemap-too-many-urls" not in rules_on(row)
    assert severities(RULE, replace(row, entries=LIMIT)) == []


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.SITEMAPINDEX])
def test_other_formats_are_not_checked(kind: Kind) -> None:
    assert severities(RULE, Sitemap(SITEMAP, kind=kind, entries=LIMIT + 1)) == []


def test_message_and_evidence() -> None:
    row = Sitemap(SITEMAP, kind=Kind.SITEMAPINDEX, entries=LIMIT + 1)
    (finding,) = found(RULE, row)
    assert finding.message == "lists 50,001 sitemaps; at most 50,000 are allowed"
    assert finding.sitemap == SITEMAP
    assert json.loads(finding.evidence or "") == {"entries": LIMIT + 1, "limit": LIMIT}
