"""orphan-unreachable: a listed page that only orphans lead to."""

from dataclasses import replace
from typing import Any

import pytest

from sitemapaudit.items import Page, Role
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE, blocked
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, linked_page, listed

RULE = "orphan-unreachable"
C, OLD = f"{SITE}/c", f"{SITE}/old"


def example() -> list[Item]:
    """Return a site whose home page leads to one of three pages; the others link to each other."""
    pages = [linked_page(HOME, A), linked_page(A, HOME), linked_page(B, C), linked_page(C, B, A)]
    return [ROBOTS, READ, listed(HOME, A, B, C), *pages]


def unreachable(*pages: Page | ReadItem[Page], **arguments: Any) -> list[str]:
    rows = [page.item if isinstance(page, ReadItem) else page for page in pages]
    locs = [row.url for row in rows if row.role is Role.LISTED]
    tables = tables_of([ROBOTS, READ, listed(*locs), *pages], RULE, **ARGUMENTS, **arguments)
    return [str(url) for url, *_ in rule_on(tables, RULE)]


def test_pages_that_link_only_to_each_other_are_found() -> None:
    message = "is linked by 1 page, such as {}, but cannot be reached from the home page"
    assert rule_on(tables_of(example(), RULE, **ARGUMENTS), RULE) == [
        (B, "warning", message.format(C)),
        (C, "warning", message.format(B)),
    ]


def test_a_page_without_links_is_another_finding() -> None:
    assert unreachable(linked_page(HOME), linked_page(B, C), linked_page(C)) == [C]


def test_a_way_through_a_redirect_is_a_way() -> None:
    moved = fetched_page(OLD, 301, target=B)
    pages = [linked_page(HOME, OLD), linked_page(B, C), linked_page(C, B)]
    assert unreachable(*pages, moved) == []


def test_a_way_to_a_duplicate_is_one_to_its_canonical() -> None:
    duplicate = linked_page(f"{B}?ref=1", canonical=B, role=Role.CANONICAL)
    pages = [linked_page(HOME, f"{B}?ref=1"), linked_page(B), linked_page(C, B)]
    assert unreachable(*pages, duplicate) == []


def test_a_duplicate_that_only_an_orphan_links_to_is_no_way() -> None:
    duplicate = linked_page(f"{B}?ref=1", canonical=B, role=Role.CANONICAL)
    assert unreachable(linked_page(HOME), linked_page(B), linked_page(C, f"{B}?ref=1"), duplicate)


@pytest.mark.parametrize("gap", [blocked(A), linked_page(A, f"{SITE}/not-fetched")])
def test_nothing_is_found_if_the_graph_may_be_incomplete(gap: Page | ReadItem[Page]) -> None:
    assert unreachable(linked_page(HOME, A), gap, linked_page(B, C), linked_page(C, B)) == []


def test_nothing_is_found_if_the_home_page_has_no_links_to_read() -> None:
    home = fetched_page(HOME, 404)
    assert unreachable(home, linked_page(B, C), linked_page(C, B)) == []


def test_only_indexable_pages_are_found() -> None:
    pages = [linked_page(HOME), linked_page(B, C, noindex=True), linked_page(C, B)]
    assert unreachable(*pages) == [C]


def test_the_fact_does_not_depend_on_the_graph_being_complete() -> None:
    pages = [linked_page(HOME, A), linked_page(B, C, noindex=True), linked_page(C, B)]
    rows: list[Item] = [ROBOTS, READ, listed(HOME, A, B, C, OLD), *pages, blocked(A)]
    urls = tables_of(rows, RULE, **ARGUMENTS).urls.set_index("url")
    found = urls["linked_only_from_orphans"].to_dict()
    assert found == {HOME: False, A: False, B: True, C: True, OLD: False}


@pytest.mark.parametrize("home", [fetched_page(HOME), fetched_page(HOME, 404)])
def test_the_fact_is_unknown_unless_a_home_page_was_read(home: Page) -> None:
    rows: list[Item] = [ROBOTS, READ, listed(HOME, A, B), home, linked_page(A, B), linked_page(B)]
    urls = tables_of(rows, RULE, **ARGUMENTS).urls
    assert set(urls["linked_only_from_orphans"]) == {None}


def test_the_root_of_a_given_sitemap_is_a_home_page() -> None:
    rows = [row for row in example() if row is not ROBOTS]
    arguments = {**ARGUMENTS, "site": None, "sitemap": READ.sitemap}
    tables = tables_of([replace(ROBOTS, audited=False), *rows], RULE, **arguments)
    assert tables.urls.set_index("url")["clicks"].to_dict()[A] == 1
    assert [url for url, *_ in rule_on(tables, RULE)] == [B, C]
