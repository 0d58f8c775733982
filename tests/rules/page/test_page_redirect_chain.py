"""page-redirect-chain: at least two redirects in a row; more than ten are an error."""

from pathlib import Path

import pytest

from sitemapaudit.items import Page, Role
from tests.support import answered, build_run, listed, rule_on

HOST = "https://www.example.com"


def chain(hops: int, *, circle: bool = False) -> list[Page]:
    pages = [
        answered(
            f"{HOST}/{hop}",
            301,
            role=Role.LISTED if hop == 0 else Role.REDIRECT,
            target=f"{HOST}/{hop + 1}",
        )
        for hop in range(hops)
    ]
    if circle:
        pages[-1].target = f"{HOST}/0"
        return pages
    return [*pages, answered(f"{HOST}/{hops}", role=Role.REDIRECT)]


@pytest.mark.parametrize(
    ("hops", "expected"),
    [(0, []), (1, []), (2, ["warning"]), (10, ["warning"]), (11, ["error"]), (20, ["error"])],
)
def test_hops(tmp_path: Path, hops: int, expected: list[str]) -> None:
    run = build_run(tmp_path, [listed(f"{HOST}/0"), *chain(hops)])
    assert [severity for _, severity, _ in rule_on(run, "page-redirect-chain")] == expected


def test_a_loop_is_no_chain(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(f"{HOST}/0"), *chain(3, circle=True)])
    assert rule_on(run, "page-redirect-chain") == []
    assert len(rule_on(run, "page-redirect-loop")) == 1


def test_message_shows_the_way(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(f"{HOST}/0"), *chain(2)])
    message = f"redirects 2 times: {HOST}/0 → {HOST}/1 → {HOST}/2"
    assert rule_on(run, "page-redirect-chain") == [(f"{HOST}/0", "warning", message)]


def test_only_listed_urls_are_judged(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(f"{HOST}/1"), *chain(3)])
    assert [url for url, _, _ in rule_on(run, "page-redirect-chain")] == [f"{HOST}/1"]
