"""listed-nofollow-only: a listed page that is linked, and that no link may be followed to."""

from typing import Any

import pytest

from sitemapaudit.items import Page, Role
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE, blocked
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, linked_page, listed

RULE = "listed-nofollow-only"
DUPLICATE = f"{B}?ref=1"


def example() -> list[Item]:
    """Return a site whose links to one page are nofollow, or on a page that says nofollow."""
    home = linked_page(HOME, A, B, nofollow=True)
    pages = [linked_page(A, B, HOME, directives=["nofollow"]), linked_page(B, A)]
    return [ROBOTS, READ, listed(HOME, A, B), home, *pages]


def found(*pages: Page | ReadItem[Page]) -> list[str]:
    rows = [page.item if isinstance(page, ReadItem) else page for page in pages]
    locs = [row.url for row in rows if row.role is Role.LISTED]
    tables = tables_of([ROBOTS, READ, listed(*locs), *pages], RULE, **ARGUMENTS)
    return [str(url) for url, *_ in rule_on(tables, RULE)]


def test_a_page_with_nofollow_links_only_is_found() -> None:
    message = "is linked by nofollow links only, on 2 pages"
    assert rule_on(tables_of(example(), RULE, **ARGUMENTS), RULE) == [(B, "notice", message)]


def test_one_link_to_follow_is_enough() -> None:
    home = linked_page(HOME, A, B, nofollow=True)
    assert found(home, linked_page(A, B), linked_page(B)) == [A]


@pytest.mark.parametrize("nofollow", [True, False])
def test_links_to_a_duplicate_count(nofollow: bool) -> None:
    duplicate = linked_page(DUPLICATE, canonical=B, role=Role.CANONICAL)
    home = linked_page(HOME, DUPLICATE, nofollow=nofollow)
    assert found(home, linked_page(B), duplicate) == ([B] if nofollow else [])


def test_orphans_have_their_own_rules() -> None:
    lost = linked_page(A, B, nofollow=True)
    assert found(linked_page(HOME), lost, linked_page(B)) == []


@pytest.mark.parametrize("values", [{"noindex": True}, {"status": 404}, {"canonical": A}], ids=str)
def test_only_indexable_pages_are_found(values: dict[str, Any]) -> None:
    home = linked_page(HOME, B, nofollow=True)
    assert found(home, linked_page(B, **values)) == []


def test_nothing_is_found_if_the_graph_may_be_incomplete() -> None:
    home = linked_page(HOME, B, nofollow=True)
    assert found(home, linked_page(B), blocked(f"{SITE}/c")) == []


def test_the_home_page_is_not_found() -> None:
    assert found(linked_page(HOME, A), linked_page(A, HOME, nofollow=True)) == []


def test_nothing_is_found_unless_links_were_recorded() -> None:
    rows: list[Item] = [ROBOTS, READ, listed(HOME, B), fetched_page(HOME), fetched_page(B)]
    assert rule_on(tables_of(rows, RULE, site=SITE), RULE) == []
