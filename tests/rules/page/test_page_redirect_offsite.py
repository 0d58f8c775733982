"""page-redirect-offsite: redirects end on another host; from https to http is an error."""

from itertools import pairwise
from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "page-redirect-offsite"
HTTP = "http://www.example.com"
ENDS = [
    (f"{SITE}/0", "/b", []),
    (f"{SITE}/1", "https://WWW.EXAMPLE.COM/b", []),
    (f"{SITE}/2", "https://www.example.com:8443/b", []),
    (f"{SITE}/3", "https://example.com/b", ["warning"]),
    (f"{SITE}/4", "https://shop.example.com/", ["warning"]),
    (f"{SITE}/5", "https://other.example/", ["warning"]),
    (f"{SITE}/6", "http://www.example.com/6", ["error"]),
    (f"{SITE}/7", "http://other.example/", ["error"]),
    (f"{HTTP}/8", "https://www.example.com/8", []),
    (f"{HTTP}/9", "http://other.example/", ["warning"]),
    (f"{HTTP}/10", "https://other.example/", ["warning"]),
    (f"{HTTP}/11", "http://www.example.com:8080/", []),
    ("http://[::1]/12", "http://[::1]:8080/", []),
    ("http://[::1]/13", "http://[::2]/", ["warning"]),
    ("https://xn--bcher-kva.example/14", "https://bücher.example/", []),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    pages = [redirect(at, target) for at, target, _ in ENDS]
    ends = {page.target: page_of("x", at=page.target) for page in pages if page.target}
    locs = [page.url for page in pages]
    return build_run(tmp_path_factory.mktemp("run"), [listed(*locs), *pages, *ends.values()])


@pytest.mark.parametrize(("at", "target", "expected"), ENDS)
def test_end(run: Run, at: str, target: str, expected: list[str]) -> None:
    assert [severity for url, severity, _ in rule_on(run, RULE) if url == at] == expected


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ([f"{SITE}/a", "https://other.example/", f"{SITE}/c"], []),
        ([f"{SITE}/a", f"{SITE}/b", "https://other.example/"], ["warning"]),
        ([f"{SITE}/a", f"{SITE}/b", f"{HTTP}/c"], ["error"]),
    ],
)
def test_the_last_address_counts(tmp_path: Path, way: list[str], expected: list[str]) -> None:
    pages = [redirect(at, target) for at, target in pairwise(way)]
    run = build_run(tmp_path, [listed(way[0]), *pages, page_of("x", at=way[-1])])
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


@pytest.mark.parametrize(
    "end",
    [
        page_of(at="https://other.example/", status=403),
        blocked("https://other.example/"),
        failed(Error.DNS, at="https://other.example/"),
    ],
)
def test_what_answers_there_does_not_matter(tmp_path: Path, end: Page) -> None:
    run = build_run(tmp_path, [listed(URL), redirect(URL, end.url), end])
    message = f"redirects to {end.url}, another host"
    assert rule_on(run, RULE) == [(URL, "warning", message)]


def test_message_of_a_downgrade(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL), redirect(URL, f"{HTTP}/a")])
    message = f"redirects to {HTTP}/a, from https to http"
    assert rule_on(run, RULE) == [(URL, "error", message)]


def test_silent_on_a_loop(tmp_path: Path) -> None:
    other = "http://other.example/"
    run = build_run(tmp_path, [listed(URL), redirect(URL, other), redirect(other, other)])
    assert rule_on(run, RULE) == []
