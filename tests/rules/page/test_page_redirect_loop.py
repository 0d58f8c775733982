"""page-redirect-loop: an address, normalised, occurs twice in the chain of redirects."""

from pathlib import Path

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "page-redirect-loop"
B, C = f"{SITE}/b", f"{SITE}/c"


@pytest.mark.parametrize(
    ("pages", "way"),
    [
        ([redirect(URL, URL)], [URL, URL]),
        ([redirect(URL, "https://WWW.example.com:443/%61#x", 302)], [URL, URL]),
        ([redirect(URL, B), redirect(B, URL)], [URL, B, URL]),
        ([redirect(URL, B), redirect(B, C), redirect(C, URL)], [URL, B, C, URL]),
        ([redirect(URL, B), redirect(B, C), redirect(C, B)], [URL, B, C, B]),
        ([redirect(URL, B), redirect(B, B)], [URL, B, B]),
    ],
)
def test_circle(tmp_path: Path, pages: list[Page], way: list[str]) -> None:
    run = build_run(tmp_path, [listed(URL), *pages])
    message = f"redirects in a circle: {' → '.join(way)}"
    assert rule_on(run, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "pages",
    [
        [page_of()],
        [redirect(URL, B)],
        [redirect(URL, B), page_of(at=B)],
        [redirect(URL, f"{URL}/"), redirect(f"{URL}/", f"{URL}/?"), page_of(at=f"{URL}/?")],
        [redirect(URL, B), redirect(B, C), failed(Error.TIMEOUT, at=C)],
        [redirect(URL, B), redirect(B, C), blocked(C)],
        [page_of("", f"Location: {URL}", status=304)],
        [page_of("", f"Location: {URL}", status=201)],
        [page_of(status=301)],
    ],
)
def test_no_circle(tmp_path: Path, pages: list[Page]) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), *pages]), RULE) == []


@pytest.mark.parametrize(
    ("pages", "note"),
    [
        ([redirect(URL, URL, 302, "Set-Cookie: a=b")], " (to itself, and sets a cookie)"),
        ([redirect(URL, URL, 302)], ""),
        ([redirect(URL, B, 302, "Set-Cookie: a=b"), redirect(B, URL)], ""),
    ],
)
def test_a_cookie_is_told(tmp_path: Path, pages: list[Page], note: str) -> None:
    ((_, _, message),) = rule_on(build_run(tmp_path, [listed(URL), *pages]), RULE)
    assert message.endswith(f"{URL}{note}")


def test_ten_hops_before_the_circle(tmp_path: Path) -> None:
    pages = [redirect(f"{SITE}/{hop}", f"/{hop + 1}") for hop in range(11)]
    run = build_run(tmp_path, [listed(f"{SITE}/0"), *pages, redirect(f"{SITE}/11", "/10")])
    assert [finding[:2] for finding in rule_on(run, RULE)] == [(f"{SITE}/0", "error")]
    assert rule_on(run, "page-redirect-chain") == []


def test_every_listed_url_on_the_circle(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL, B), redirect(URL, B), redirect(B, URL)])
    assert [url for url, _, _ in rule_on(run, RULE)] == [URL, B]
    assert list(run.urls["verdict"]) == ["redirected", "redirected"]
