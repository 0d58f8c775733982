"""values-truncated: texts, lists or rows that are too long to be kept."""

import json

import pytest

from sitemapaudit.caps import MAX_ITEMS, MAX_TEXT
from sitemapaudit.items import Kind, Robots, Sitemap
from tests.pages.responses import SITE, URL, head, page_of
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import SITEMAP, listed, rendered

RULE = "values-truncated"
LISTED = listed(URL)
PREFIX = "has values that are too long and were truncated"


def example() -> list[Item]:
    return [listed(URL), page_of(head(), f"Link: </{'x' * MAX_TEXT}>; rel=canonical")]


@pytest.mark.parametrize(
    ("markup", "columns"),
    [
        (head(), []),
        (f'<link rel=canonical href="{SITE}/{"x" * (MAX_TEXT - len(SITE) - 1)}">', []),
        (f'<link rel=canonical href="{SITE}/{"x" * MAX_TEXT}">', ["canonicals"]),
        (f"<title>{'x' * (MAX_TEXT + 1)}</title><h1>{'x' * MAX_TEXT}</h1>", ["title"]),
        ("<link rel=canonical href=/b>" * MAX_ITEMS, []),
        ("<link rel=canonical href=/b>" * (MAX_ITEMS + 1), ["canonicals"]),
        (f"<base href='/{'x' * MAX_TEXT}'><link rel=canonical href=b>", ["base"]),
    ],
    ids=range(7),
)
def test_pages(markup: str, columns: list[str]) -> None:
    run = tables_of([LISTED, page_of(f"<!doctype html><html>{markup}")], RULE)
    expected = [(URL, "warning", f"{PREFIX}: {', '.join(columns)}")] if columns else []
    assert rule_on(run, RULE) == expected


def test_a_page_that_is_not_listed() -> None:
    assert rule_on(tables_of([listed(f"{SITE}/other"), *example()[1:]], RULE), RULE) == []


def test_a_rendering() -> None:
    page = page_of(head())
    rows: list[Item] = [LISTED, page, rendered(page, truncated_columns=["title"])]
    assert rule_on(tables_of(rows, RULE), RULE) == [(URL, "warning", f"{PREFIX}: rendered_title")]


def test_entries_sitemaps_and_robots() -> None:
    entries = listed(URL)
    entries.rows[0].truncated_columns = ["loc", "images"]
    sitemap = Sitemap(SITEMAP, status=200, kind=Kind.URLSET, truncated_columns=["xml_error"])
    robots = Robots(SITE, f"{SITE}/robots.txt", truncated_columns=["content_type"])
    run = tables_of([robots, sitemap, entries], RULE)
    found = [
        (row["url"], row["sitemap"], row["position"], json.loads(row["evidence"])["columns"])
        for row in run.rows
    ]
    assert set(found) == {
        (None, SITEMAP, None, "xml_error"),
        (f"{SITE}/robots.txt", None, None, "content_type"),
        (URL, SITEMAP, 1, "loc, images"),
    }
