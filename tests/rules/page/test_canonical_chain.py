"""canonical-chain: the target is canonicalized to another URL; a return to the start is a loop."""

from itertools import pairwise

import pytest

from sitemapaudit.items import Error, Page, Role
from tests.pages.responses import (
    SITE,
    URL,
    blocked,
    canonical,
    failed,
    head,
    page_of,
    redirect,
)  # fmt: skip
from tests.rules.tables import Tables, rule_on, tables_of
from tests.rules.together import check, severities
from tests.support.rows import listed

RULE = "canonical-chain"
B, C = f"{SITE}/b", f"{SITE}/c"


def page_naming(at: str, *hrefs: str) -> Page:
    role = Role.LISTED if at == URL else Role.CANONICAL
    return page_of(head(*map(canonical, hrefs)), at=at, role=role)


def chain_of(*urls: str) -> list[Page]:
    """Return pages, each with the next URL as its canonical."""
    return [page_naming(at, href) for at, href in pairwise(urls)]


def test_target() -> None:
    cases = [
        (page_naming(B, C), ["warning"]),
        (page_naming(B, "https://other.example/"), ["warning"]),
        (page_naming(B, URL), ["error"]),
        (page_naming(B, B), []),
        (page_naming(B, f"{B}#part"), []),
        (page_naming(B), []),
        (page_naming(B, B, C), []),
        (page_naming(B, "mailto:c@example.com"), []),
        (redirect(B, C), []),
        (blocked(B), []),
        (failed(Error.DNS, at=B), []),
    ]
    start = listed(URL), page_naming(URL, B)
    check(RULE, cases, lambda target: [*start, target], severities)


def test_nothing_is_reported_if_the_target_was_not_fetched() -> None:
    assert rule_on(tables_of([listed(URL), page_naming(URL, B)], RULE), RULE) == []


def test_a_self_canonical_is_not_a_chain() -> None:
    assert rule_on(tables_of([listed(URL), page_naming(URL, URL)], RULE), RULE) == []


def test_each_listed_page_is_checked_separately() -> None:
    tables = tables_of(
        [listed(URL, B), page_naming(URL, B), page_naming(B, C), page_naming(C, C)], RULE
    )
    message = f"is canonicalized to {B}, which is canonicalized to {C}"
    assert rule_on(tables, RULE) == [(URL, "warning", message)]


def test_each_listed_page_of_a_loop_is_reported() -> None:
    tables = tables_of([listed(URL, B), page_naming(URL, B), page_naming(B, URL)], RULE)
    assert [finding[:2] for finding in rule_on(tables, RULE)] == [(URL, "error"), (B, "error")]


CHAINS = {
    "abc": ("warning", "bc"),
    "abcd": ("warning", "bcd"),
    "aba": ("error", "ba"),
    "abca": ("error", "bca"),
    "abcdefa": ("error", "bcdefa"),
    "abcb": ("warning", "bcb"),
    "abcdc": ("warning", "bcdc"),
    "abb": None,
    "abcc": ("warning", "bc"),
}


@pytest.fixture(scope="module")
def chains() -> Tables:
    hosts = [f"https://{chain}.example" for chain in CHAINS]
    pages = [
        page
        for chain, host in zip(CHAINS, hosts, strict=True)
        for page in chain_of(*(f"{host}/{name}" for name in chain))
    ]
    return tables_of([listed(*(f"{h}/a" for h in hosts)), *pages], RULE)


@pytest.mark.parametrize("chain", CHAINS)
def test_a_chain_is_followed_to_its_end(chains: Tables, chain: str) -> None:
    host, expected = f"https://{chain}.example", []
    if finding := CHAINS[chain]:
        severity, canonicals = finding
        steps = [f"is canonicalized to {host}/{name}" for name in canonicals]
        expected = [(f"{host}/a", severity, ", which ".join(steps))]
    assert [found for found in rule_on(chains, RULE) if found[0] == f"{host}/a"] == expected


@pytest.mark.parametrize(
    ("names", "severity"),
    [
        ([URL, *range(1, 30)], "warning"),
        ([URL, *range(1, 20), URL], "error"),
        ([URL, *range(1, 21), URL], "warning"),
    ],
)
def test_up_to_twenty_canonicals_are_followed(names: list[object], severity: str) -> None:
    urls = [f"{SITE}/{name}" if isinstance(name, int) else URL for name in names]
    tables = tables_of([listed(URL), *chain_of(*urls)], RULE)
    ((_, found, message),) = rule_on(tables, RULE)
    assert found == severity
    assert message.endswith(f", which is canonicalized to {urls[20]}")


def test_only_listed_pages_are_checked() -> None:
    tables = tables_of([listed(C), page_naming(URL, B), page_naming(B, C), page_naming(C, C)], RULE)
    assert rule_on(tables, RULE) == []
