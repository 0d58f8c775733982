"""canonical-chain: the target's own canonical is another; back to the start it is a loop."""

from pathlib import Path

import pytest

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


def test_only_listed_pages_are_judged(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(C), names(URL, B), names(B, C), names(C, C)])
    assert rule_on(run, RULE) == []
