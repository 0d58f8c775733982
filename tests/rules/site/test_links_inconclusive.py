"""links-inconclusive: the reasons why links may be unknown, in one finding."""

from tests.pages.responses import SITE, blocked
from tests.rules.site.test_orphan_no_inlinks import ARGUMENTS, HOME, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.support import fetched_page, linked_page, listed

RULE = "links-inconclusive"


def example() -> list[Item]:
    """Return a site with a page that is blocked, and a link to a page that is not listed."""
    rows: list[Item] = [ROBOTS, READ, listed(HOME, A, B)]
    return [*rows, linked_page(HOME, A, f"{SITE}/new"), blocked(A), linked_page(B, f"{SITE}/new")]


def test_one_finding_has_all_reasons() -> None:
    reasons = "pages blocked by robots.txt (1), linked URLs not fetched (1)"
    message = f"has links that may be unknown: {reasons}"
    assert rule_on(tables_of(example(), RULE, **ARGUMENTS), RULE) == [(None, "notice", message)]


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
