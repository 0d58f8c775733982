"""listed-twin: a listed page that visitors find at another address of the same page."""

from typing import Any

from sitemapaudit.items import Page, Role
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE, blocked
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import check, urls
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


def test_addresses_that_differ_in_form() -> None:
    cases = [
        ("p(1)", "p%281%29"),
        ("dir/", "dir/index.html"),
        ("dir", "dir/index.php"),
        ("p", "p.html"),
        ("P", "p"),
        ("s%C3%A9", "S%C3%89"),
        ("l?a=(b)", "l?a=%28b%29"),
    ]

    def items(address: str, twin: str) -> list[Item]:
        listing, linked = f"{SITE}/{address}", f"{SITE}/{twin}"
        rows = [linked_page(HOME, linked), page(listing), page(linked, role=Role.LINK)]
        return [ROBOTS, READ, listed(HOME, listing), *rows]

    both = [pair for one, other in cases for pair in ((one, other), (other, one))]
    expected = [(address, twin, [f"{SITE}/{address}"]) for address, twin in both]
    check(RULE, expected, items, urls, **ARGUMENTS)


def test_addresses_of_another_scheme_or_host() -> None:
    cases = ["http://www.example.com", "https://example.com"]

    def items(host: str) -> list[Item]:
        rows = [linked_page(HOME, f"{host}/a"), page(A), page(f"{host}/a", role=Role.LINK)]
        return [ROBOTS, READ, listed(HOME, A), *rows]

    check(RULE, [(host, [A]) for host in cases], items, urls, **ARGUMENTS)


def test_other_pages_are_no_twins() -> None:
    cases: list[tuple[str, dict[str, Any]]] = [
        (f"{A}/", {"content_hash": "other"}),
        (f"{A}/", {"content_hash": None}),
        (f"{A}/x", {}),
        (f"{A}?x=1", {}),
        (f"{SITE}:8080/a", {}),
    ]

    def items(twin: str, values: dict[str, Any]) -> list[Item]:
        rows = [linked_page(HOME, twin), page(A), page(twin, role=Role.LINK, **values)]
        return [ROBOTS, READ, listed(HOME, A), *rows]

    check(RULE, [(*case, []) for case in cases], items, urls, **ARGUMENTS)
    check(ORPHANS[0], [(*case, [A]) for case in cases], items, urls, **ARGUMENTS)


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
