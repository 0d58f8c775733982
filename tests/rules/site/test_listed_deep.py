"""listed-deep: a listed page that is many clicks from the home page."""

from itertools import pairwise

import pytest

from sitemapaudit.config import AuditSettings
from sitemapaudit.items import Role
from tests.pages.responses import SITE, blocked
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, linked_page, listed

RULE = "listed-deep"
CHAIN = [HOME, *(f"{SITE}/{number}" for number in range(1, 8))]


def example(*shortcuts: str) -> list[Item]:
    """Return a site whose pages link each to the next one; the home page has shortcuts."""
    home, *pages = (linked_page(page, after) for page, after in pairwise(CHAIN))
    home = linked_page(HOME, CHAIN[1], *shortcuts)
    return [ROBOTS, READ, listed(*CHAIN), home, *pages, linked_page(CHAIN[-1])]


def deep(rows: list[Item]) -> list[str]:
    return [str(url) for url, *_ in rule_on(tables_of(rows, RULE, **ARGUMENTS), RULE)]


def test_pages_more_than_five_clicks_away_are_found() -> None:
    tables = tables_of(example(), RULE, **ARGUMENTS)
    assert rule_on(tables, RULE) == [
        (CHAIN[6], "notice", "is 6 clicks from the home page"),
        (CHAIN[7], "notice", "is 7 clicks from the home page"),
    ]
    assert {row["cause"] for row in tables.rows} == {"are more than 5 clicks from the home page"}


def test_a_shorter_way_to_a_duplicate_counts() -> None:
    address = f"{CHAIN[6]}?ref=1"
    duplicate = linked_page(address, canonical=CHAIN[6], role=Role.CANONICAL)
    assert deep([*example(address), duplicate]) == [CHAIN[7]]


def test_only_indexable_pages_are_found() -> None:
    rows = example()
    rows[-1] = fetched_page(CHAIN[7], 404)
    assert deep(rows) == [CHAIN[6]]


def test_nothing_is_found_if_the_graph_may_be_incomplete() -> None:
    address = f"{SITE}/blocked"
    rows: list[Item] = [ROBOTS, READ, listed(*CHAIN, address), *example()[3:], blocked(address)]
    assert deep(rows) == []


@pytest.mark.parametrize(
    ("limit", "found"), [("0", []), ("6", CHAIN[7:]), ("5", CHAIN[6:]), ("7", [])]
)
def test_the_setting_is_the_limit(limit: str, found: list[str]) -> None:
    options = AuditSettings.from_scrapy({"AUDIT_DEEP_CLICKS": limit}).rule_options
    tables = tables_of(example(), RULE, options=options, **ARGUMENTS)
    assert [url for url, *_ in rule_on(tables, RULE)] == found
