"""listed-twin: a listed page that visitors find at another address of the same page."""

from typing import Any

import pytest

from sitemapaudit.items import Page, Role
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE, blocked
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import linked_page, listed

RULE = "listed-twin"
ORPHANS = ("orphan-no-inlinks", "orphan-unreachable")
TEXT = {"content_hash": "text"}


def page(url: str, *targets: str, **values: Any) -> ReadItem[Page]:
    return linked_page(url, *targets, **{**TEXT, **values})


def found(*items: Item, lists: tuple[str, ...] = (HOME, A), rule: str = RULE) -> list[str]:
    tables = tables_of([ROBOTS, READ, listed(*lists), *items], rule, **ARGUMENTS)
    return [str(url) for url, *_ in rule_on(tables, rule)]


def example() -> list[Item]:
    """Return a site that lists a page without the slash that its links have."""
    twin = page(f"{A}/", role=Role.LINK)
    return [ROBOTS, READ, listed(HOME, A), linked_page(HOME, f"{A}/"), page(A), twin]


def test_the_twin_is_named() -> None:
    message = f"no way of links leads to this address: {A}/ has the same text, and is linked by"
    assert rule_on(tables_of(example(), RULE, **ARGUMENTS), RULE) == [
        (A, "warning", f"{message} 1 page")
    ]
    for rule in ORPHANS:
        assert rule_on(tables_of(example(), rule, **ARGUMENTS), rule) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("p(1)", "p%281%29"),
        ("dir/", "dir/index.html"),
        ("dir", "dir/index.php"),
        ("p", "p.html"),
        ("P", "p"),
        ("s%C3%A9", "S%C3%89"),
        ("l?a=(b)", "l?a=%28b%29"),
    ],
)
def test_addresses_that_differ_in_form(one: str, other: str) -> None:
    for address, twin in ((one, other), (other, one)):
        listing, linked = f"{SITE}/{address}", f"{SITE}/{twin}"
        rows = [linked_page(HOME, linked), page(listing), page(linked, role=Role.LINK)]
        assert found(*rows, lists=(HOME, listing)) == [listing]


@pytest.mark.parametrize("host", ["http://www.example.com", "https://example.com"])
def test_addresses_of_another_scheme_or_host(host: str) -> None:
    twin = page(f"{host}/a", role=Role.LINK)
    assert found(linked_page(HOME, f"{host}/a"), page(A), twin) == [A]


@pytest.mark.parametrize(
    ("twin", "values"),
    [
        (f"{A}/", {"content_hash": "other"}),
        (f"{A}/", {"content_hash": None}),
        (f"{A}/x", {}),
        (f"{A}?x=1", {}),
        (f"{SITE}:8080/a", {}),
    ],
)
def test_other_pages_are_no_twins(twin: str, values: dict[str, Any]) -> None:
    rows = [linked_page(HOME, twin), page(A), page(twin, role=Role.LINK, **values)]
    assert found(*rows) == []
    assert found(*rows, rule=ORPHANS[0]) == [A]


def test_the_home_page_may_be_a_twin() -> None:
    index = f"{SITE}/index.html"
    tables = tables_of(
        [ROBOTS, READ, listed(HOME, index), page(HOME), page(index)], RULE, **ARGUMENTS
    )
    ((url, _, message),) = rule_on(tables, RULE)
    assert url == index
    assert message.endswith("and is the home page")


def test_a_twin_that_visitors_cannot_find_does_not_help() -> None:
    twin = page(f"{A}/", role=Role.CANONICAL)
    rows = [linked_page(HOME), page(A, f"{A}/"), twin]
    assert found(*rows) == []
    assert found(*rows, rule=ORPHANS[0]) == [A]


def test_nothing_is_found_if_the_graph_may_be_incomplete() -> None:
    assert found(*example()[3:], blocked(B), lists=(HOME, A, B)) == []
