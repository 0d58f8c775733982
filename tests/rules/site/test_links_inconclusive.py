"""links-inconclusive: the reasons why links may be unknown, in one finding."""

import json

import pytest

from sitemapaudit.items import Page
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE, blocked
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, linked_page, listed

RULE = "links-inconclusive"
C = f"{SITE}/c"


def example() -> list[Item]:
    """Return a site with a page that is blocked, and a link to a page that is not listed."""
    rows: list[Item] = [ROBOTS, READ, listed(HOME, A, B)]
    return [*rows, linked_page(HOME, A, f"{SITE}/new"), blocked(A), linked_page(B, f"{SITE}/new")]


def test_one_finding_has_all_reasons() -> None:
    reasons = "pages blocked by robots.txt (1), linked URLs not fetched (1)"
    seen = "all links of 2 of 4 known pages (50.0 %) are known"
    lost = "1 listed page is linked from no page that was read"
    message = f"{lost}; this is not certain: {reasons}; {seen}"
    tables = tables_of(example(), RULE, **ARGUMENTS)
    assert rule_on(tables, RULE) == [(None, "notice", message)]
    evidence = {"reasons": reasons, "read": "2", "known": "4", "share": 50, "candidates": 1}
    assert json.loads(tables.rows[0]["evidence"]) == evidence


def test_of_no_known_page_the_share_is_zero() -> None:
    tables = tables_of([ROBOTS, READ, listed(A), fetched_page(A, 404)], RULE, **ARGUMENTS)
    evidence = json.loads(tables.rows[0]["evidence"])
    assert [evidence[name] for name in ("read", "known", "share")] == ["0", "0", 0]


@pytest.mark.parametrize(
    ("pages", "beginning"),
    [
        ([linked_page(HOME, A, B), linked_page(B)], "no listed page seems to be an orphan"),
        (
            [linked_page(HOME, A), linked_page(B), linked_page(C)],
            "2 listed pages are linked from no page that was read",
        ),
        (
            [linked_page(HOME, A), linked_page(B, C), linked_page(C, B)],
            "2 linked pages cannot be reached from the home page by known links",
        ),
        (
            [linked_page(HOME, A), linked_page(B, C), linked_page(C)],
            (
                "1 listed page is linked from no page that was read, and 1 linked page cannot be"
                " reached from the home page by known links"
            ),
        ),
    ],
)
def test_the_pages_that_may_be_orphans_come_first(
    pages: list[ReadItem[Page]], beginning: str
) -> None:
    locs = [HOME, A, *(page.item.url for page in pages[1:])]
    rows: list[Item] = [ROBOTS, READ, listed(*locs), *pages, blocked(A)]
    ((_, _, message),) = rule_on(tables_of(rows, RULE, **ARGUMENTS), RULE)
    assert message.startswith(f"{beginning}; this is not certain: pages blocked by robots.txt (1);")


def test_a_complete_graph_has_no_finding() -> None:
    rows: list[Item] = [ROBOTS, READ, listed(HOME, A), linked_page(HOME, A), linked_page(A)]
    assert rule_on(tables_of(rows, RULE, **ARGUMENTS), RULE) == []


def test_a_run_without_links_has_no_finding() -> None:
    rows: list[Item] = [ROBOTS, READ, listed(HOME, A), fetched_page(HOME), blocked(A)]
    assert rule_on(tables_of(rows, RULE, site=SITE), RULE) == []


def test_pages_of_other_sites_are_no_reason() -> None:
    other = blocked("https://other.example/")
    rows: list[Item] = [ROBOTS, READ, listed(HOME), linked_page(HOME)]
    other.role = "redirect"  # type: ignore[assignment]
    assert rule_on(tables_of([*rows, other], RULE, **ARGUMENTS), RULE) == []


def test_a_home_page_that_is_not_listed_was_not_read() -> None:
    rows: list[Item] = [ROBOTS, READ, listed(A, B), linked_page(A, B), linked_page(B, A)]
    ((_, _, message),) = rule_on(tables_of(rows, RULE, **ARGUMENTS), RULE)
    assert "home pages not fetched (1); all links of 2 of 3 " in message


@pytest.mark.parametrize(
    ("page", "counts"),
    [
        (blocked(A), "2 of 4"),
        (linked_page(A, dropped=1), "2 of 4"),
        (linked_page(A, truncated=True), "2 of 4"),
        (linked_page(A, words=3, scripts=2), "2 of 4"),
        (fetched_page(A, 503), "2 of 4"),
        (fetched_page(A, is_html=True, noindex=False), "2 of 4"),
        (linked_page(A), "3 of 4"),
        (fetched_page(A, 404), "2 of 3"),
        (fetched_page(A, content_type="image/png"), "2 of 3"),
    ],
)
def test_pages_that_can_have_links_count(page: Page | ReadItem[Page], counts: str) -> None:
    pages = [linked_page(HOME, A, f"{SITE}/new"), page, linked_page(B)]
    rows: list[Item] = [ROBOTS, READ, listed(HOME, A, B), *pages]
    ((_, _, message),) = rule_on(tables_of(rows, RULE, **ARGUMENTS), RULE)
    assert f"all links of {counts} known pages" in message
