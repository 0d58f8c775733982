"""built-not-listed: a page of the build that search engines should find, and do not."""

from typing import Any

import pytest

from sitemapaudit.items import Page, Role
from tests.pages.responses import SITE
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, listed

RULE = "built-not-listed"


def built(**values: Any) -> Page:
    """Return a page of a build."""
    given = {"role": Role.BUILT, "file": "about.html", "is_html": True, "bytes": 900, **values}
    return fetched_page(f"{SITE}/about", **given)


def example() -> list[Item]:
    """Return a build with a page that is not listed."""
    return [built(), listed(f"{SITE}/")]


def test_an_indexable_page_is_found() -> None:
    tables = tables_of(example(), RULE)
    message = "about.html is an indexable page that no sitemap lists"
    assert rule_on(tables, RULE) == [(f"{SITE}/about", "warning", message)]


@pytest.mark.parametrize(
    "values",
    [
        {"noindex": True},
        {"canonical": f"{SITE}/other"},
        {"status": 404},
        {"file": None},
        {"is_html": False},
    ],
    ids=str,
)
def test_other_pages_need_no_entry(values: dict[str, Any]) -> None:
    assert rule_on(tables_of([built(**values)], RULE), RULE) == []


def test_a_file_that_is_listed_at_another_address_is_none() -> None:
    other = fetched_page(f"{SITE}/about.html", file="about.html", is_html=True, bytes=900)
    tables = tables_of([built(), other, listed(other.url)], RULE)
    assert rule_on(tables, RULE) == []


@pytest.mark.parametrize(
    "loc",
    [
        *("http://localhost:1313/about", f"{SITE}/about/", f"{SITE}/about.html"),
        *(f"{SITE}/en/about", f"{SITE}/en/latest/about.html"),
    ],
)
def test_a_page_that_is_listed_in_another_form_has_another_finding(loc: str) -> None:
    missing = fetched_page(loc, 404)
    assert rule_on(tables_of([built(), missing, listed(loc)], RULE), RULE) == []


@pytest.mark.parametrize(
    ("home", "loc"),
    [
        ("/", "/en/index.html"),
        ("/", "/en/latest/"),
        ("/repo/", "/"),
        ("/repo/", "/repo/index.html"),
    ],
)
def test_a_home_page_that_is_listed_at_another_path(home: str, loc: str) -> None:
    missing = fetched_page(f"{SITE}{loc}", 404)
    page = fetched_page(f"{SITE}{home}", file="index.html", is_html=True, bytes=900)
    assert rule_on(tables_of([page, missing, listed(missing.url)], RULE), RULE) == []
    other = fetched_page(f"{SITE}/gone", 404)
    (found,) = rule_on(tables_of([page, other, listed(other.url)], RULE), RULE)
    assert found[0] == page.url


def test_a_page_below_a_path_is_another_page() -> None:
    other = fetched_page(f"{SITE}/en/about", file="en/about.html", is_html=True, bytes=900)
    (found,) = rule_on(tables_of([built(), other, listed(other.url)], RULE), RULE)
    assert found[0] == f"{SITE}/about"


def test_without_listed_urls_no_page_is_missing() -> None:
    assert rule_on(tables_of([built()], RULE), RULE) == []


def test_a_listed_page_is_none() -> None:
    assert rule_on(tables_of([built(), listed(f"{SITE}/about")], RULE), RULE) == []
