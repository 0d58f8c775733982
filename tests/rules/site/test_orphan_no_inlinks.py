"""orphan-no-inlinks: a listed page that no page of the site links to."""

from typing import Any

import pytest

from sitemapaudit.items import Error, Page, Role, SkipReason
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE, blocked, failed
from tests.rules.site.linked import ARGUMENTS, HOME, OLD, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import check
from tests.support.rows import fetched_page, linked_page, listed

RULE = "orphan-no-inlinks"
MESSAGE = "has no link from another page of the site"


def example() -> list[Item]:
    """Return a site whose home page links to one of two pages."""
    return [ROBOTS, READ, listed(HOME, A, B), linked_page(HOME, A), linked_page(A), linked_page(B)]


def orphans(
    *pages: Page | ReadItem[Page], also: tuple[str, ...] = (), **arguments: Any
) -> list[str]:
    rows = [page.item if isinstance(page, ReadItem) else page for page in pages]
    locs = [row.url for row in rows if row.role is Role.LISTED]
    run = tables_of([ROBOTS, READ, listed(*locs, *also), *pages], RULE, **ARGUMENTS, **arguments)
    return [str(url) for url, *_ in rule_on(run, RULE)]


def test_a_page_without_links_is_found() -> None:
    run = tables_of(example(), RULE, **ARGUMENTS)
    assert rule_on(run, RULE) == [(B, "warning", MESSAGE)]


def test_nothing_is_found_unless_links_were_recorded() -> None:
    rows: list[Item] = [ROBOTS, READ, listed(HOME, B), fetched_page(HOME), fetched_page(B)]
    assert rule_on(tables_of(rows, RULE, site=SITE), RULE) == []


def test_pages_that_are_not_indexable_need_no_links() -> None:
    cases: list[dict[str, Any]] = [
        {"noindex": True},
        {"status": 404},
        {"canonical": A},
        {"status": 301, "target": A},
    ]

    def items(values: dict[str, Any]) -> list[Item]:
        pages = linked_page(HOME, A), linked_page(A), linked_page(B, **values)
        return [ROBOTS, READ, listed(HOME, A, B), *pages]

    check(RULE, [({}, 1), *((values, 0) for values in cases)], items, len, **ARGUMENTS)


def test_a_link_through_redirects_is_a_link() -> None:
    older = f"{SITE}/older"
    moved = [fetched_page(older, 301, target=OLD), fetched_page(OLD, 301, target=B)]
    assert orphans(linked_page(HOME, older), linked_page(B), *moved) == []


def test_a_link_to_itself_through_a_redirect_is_none() -> None:
    moved = fetched_page(OLD, 301, target=B)
    assert orphans(linked_page(HOME), linked_page(B, OLD), moved) == [B]


def test_a_link_to_a_duplicate_is_one_to_its_canonical() -> None:
    duplicate = linked_page(f"{B}?ref=1", canonical=B)
    assert orphans(linked_page(HOME, f"{B}?ref=1"), linked_page(B), duplicate) == []


def test_a_link_to_its_own_duplicate_is_none() -> None:
    duplicate = linked_page(f"{B}?ref=1", canonical=B, role=Role.CANONICAL)
    moved = fetched_page(OLD, 301, target=f"{B}?ref=1", role=Role.CANONICAL)
    assert orphans(linked_page(HOME), linked_page(B, f"{B}?ref=1", OLD), duplicate, moved) == [B]


def test_a_nofollow_link_is_a_link() -> None:
    assert orphans(linked_page(HOME, B, nofollow=True), linked_page(B)) == []


@pytest.mark.parametrize(
    "gap",
    [
        failed(Error.TIMEOUT, at=A),
        blocked(A),
        fetched_page(A, 503),
        fetched_page(A, 403),
        linked_page(A, dropped=1),
        linked_page(A, truncated=True),
        linked_page(A, truncated_columns=["base"]),
        linked_page(A, words=3, scripts=2),
        linked_page(A, f"{SITE}/not-fetched"),
        fetched_page(A, is_html=True, noindex=False, words=200),
    ],
)
def test_nothing_is_found_if_the_graph_may_be_incomplete(gap: Page | ReadItem[Page]) -> None:
    assert orphans(linked_page(HOME, A), linked_page(B), gap) == []


@pytest.mark.parametrize(
    "page", [fetched_page(A, 404), fetched_page(A, content_type="image/png"), linked_page(A)]
)
def test_pages_without_links_are_no_gap(page: Page | ReadItem[Page]) -> None:
    assert orphans(linked_page(HOME, A), linked_page(B), page) == [B]


def test_a_page_that_was_not_fetched_is_a_gap() -> None:
    assert orphans(linked_page(HOME), linked_page(B), also=(A,)) == []


def test_a_page_that_was_skipped_is_a_gap() -> None:
    entries = listed(A)
    entries.rows[0].skip_reason = SkipReason.EXCLUDE
    rows: list[Item] = [ROBOTS, READ, listed(HOME, B, sitemap=f"{SITE}/b.xml"), entries]
    run = tables_of([*rows, linked_page(HOME), linked_page(B)], RULE, **ARGUMENTS)
    assert rule_on(run, RULE) == []


def test_a_stopped_run_is_incomplete() -> None:
    assert orphans(linked_page(HOME), linked_page(B), reason="the run was stopped") == []


def test_the_page_that_the_home_page_redirects_to_is_a_home_page() -> None:
    home = fetched_page(HOME, 301, target=A)
    assert orphans(home, linked_page(A), linked_page(B)) == [B]


def test_a_site_whose_home_page_was_not_read_has_unknown_links() -> None:
    assert orphans(linked_page(A, B), linked_page(B)) == []
