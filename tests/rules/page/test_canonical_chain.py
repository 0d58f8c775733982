"""canonical-chain: the target names another canonical; a return to the start is a loop."""

from itertools import pairwise
from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page, Role
from tests.pages.answers import (
    SITE,
    URL,
    WITHHELD,
    blocked,
    canonical,
    failed,
    head,
    page_of,
    redirect,
    withheld,
)  # fmt: skip
from tests.support import build_run, listed, rule_on

RULE = "canonical-chain"
B, C = f"{SITE}/b", f"{SITE}/c"


def names(at: str, *hrefs: str) -> Page:
    role = Role.LISTED if at == URL else Role.CANONICAL
    return page_of(head(*map(canonical, hrefs)), at=at, role=role)


def names_in_turn(*urls: str) -> list[Page]:
    """Return pages of which each names the next one as its canonical."""
    return [names(at, href) for at, href in pairwise(urls)]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (names(B, C), ["warning"]),
        (names(B, "https://other.example/"), ["warning"]),
        (names(B, URL), ["error"]),
        (names(B, B), []),
        (names(B, f"{B}#part"), []),
        (names(B), []),
        (names(B, B, C), []),
        (names(B, "mailto:c@example.com"), []),
        (redirect(B, C), []),
        (blocked(B), []),
        (failed(Error.DNS, at=B), []),
    ],
)
def test_target(tmp_path: Path, target: Page, expected: list[str]) -> None:
    run = build_run(tmp_path, [listed(URL), names(URL, B), target])
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


def test_silent_where_the_target_was_not_asked_for(tmp_path: Path) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), names(URL, B)]), RULE) == []


@pytest.mark.parametrize("how", [how for how in WITHHELD if how != "unchecked"])
def test_silent_where_the_target_is_not_known(tmp_path: Path, how: str) -> None:
    target = withheld(how, head(canonical(C)), f"Link: <{C}>; rel=canonical", at=B)
    run = build_run(tmp_path, [listed(URL), names(URL, B), target])
    assert rule_on(run, RULE) == []


def test_a_self_canonical_is_no_chain(tmp_path: Path) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), names(URL, URL)]), RULE) == []


def test_each_listed_page_is_judged_by_itself(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL, B), names(URL, B), names(B, C), names(C, C)])
    message = f"names the canonical {B}, which names {C}"
    assert rule_on(run, RULE) == [(URL, "warning", message)]


def test_both_ends_of_a_loop_are_told_if_listed(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL, B), names(URL, B), names(B, URL)])
    assert [finding[:2] for finding in rule_on(run, RULE)] == [(URL, "error"), (B, "error")]


WAYS = {
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
def ways(tmp_path_factory: pytest.TempPathFactory) -> Run:
    hosts = [f"https://{way}.example" for way in WAYS]
    pages = [
        page
        for way, host in zip(WAYS, hosts, strict=True)
        for page in names_in_turn(*(f"{host}/{name}" for name in way))
    ]
    return build_run(tmp_path_factory.mktemp("ways"), [listed(*(f"{h}/a" for h in hosts)), *pages])


@pytest.mark.parametrize("way", WAYS)
def test_it_is_followed_to_its_end(ways: Run, way: str) -> None:
    host, expected = f"https://{way}.example", []
    if told := WAYS[way]:
        severity, chain = told
        message = "names the canonical " + ", which names ".join(f"{host}/{name}" for name in chain)
        expected = [(f"{host}/a", severity, message)]
    assert [found for found in rule_on(ways, RULE) if found[0] == f"{host}/a"] == expected


@pytest.mark.parametrize(
    ("way", "severity"),
    [
        ([URL, *range(1, 30)], "warning"),
        ([URL, *range(1, 20), URL], "error"),
        ([URL, *range(1, 21), URL], "warning"),
    ],
)
def test_twenty_are_followed(tmp_path: Path, way: list[object], severity: str) -> None:
    urls = [f"{SITE}/{name}" if isinstance(name, int) else URL for name in way]
    run = build_run(tmp_path, [listed(URL), *names_in_turn(*urls)])
    ((_, found, message),) = rule_on(run, RULE)
    assert found == severity
    assert message.endswith(f", which names {urls[20]}")


def test_only_listed_pages_are_judged(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(C), names(URL, B), names(B, C), names(C, C)])
    assert rule_on(run, RULE) == []
