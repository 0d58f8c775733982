"""page-redirect-offsite: redirects end on another host; from https to http is an error."""

from itertools import pairwise

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, failed, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import listed

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
def tables() -> Tables:
    pages = [redirect(at, target) for at, target, _ in ENDS]
    ends = {page.target: page_of("x", at=page.target) for page in pages if page.target}
    locs = [page.url for page in pages]
    return tables_of([listed(*locs), *pages, *ends.values()], RULE)


@pytest.mark.parametrize(("at", "target", "expected"), ENDS)
def test_end(tables: Tables, at: str, target: str, expected: list[str]) -> None:
    assert [severity for url, severity, _ in rule_on(tables, RULE) if url == at] == expected


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        ([f"{SITE}/a", "https://other.example/", f"{SITE}/c"], []),
        ([f"{SITE}/a", f"{SITE}/b", "https://other.example/"], ["warning"]),
        ([f"{SITE}/a", f"{SITE}/b", f"{HTTP}/c"], ["error"]),
    ],
)
def test_the_last_url_counts(chain: list[str], expected: list[str]) -> None:
    pages = [redirect(at, target) for at, target in pairwise(chain)]
    tables = tables_of([listed(chain[0]), *pages, page_of("x", at=chain[-1])], RULE)
    assert [severity for _, severity, _ in rule_on(tables, RULE)] == expected


@pytest.mark.parametrize(
    "end",
    [
        page_of(at="https://other.example/", status=403),
        blocked("https://other.example/"),
        failed(Error.DNS, at="https://other.example/"),
    ],
)
def test_the_response_of_the_last_url_does_not_matter(end: Page) -> None:
    tables = tables_of([listed(URL), redirect(URL, end.url), end], RULE)
    message = f"redirects to {end.url} (another host)"
    assert rule_on(tables, RULE) == [(URL, "warning", message)]


def test_message_of_a_redirect_to_http() -> None:
    tables = tables_of([listed(URL), redirect(URL, f"{HTTP}/a")], RULE)
    message = f"redirects to {HTTP}/a (from https to http)"
    assert rule_on(tables, RULE) == [(URL, "error", message)]


def test_a_loop_is_not_reported() -> None:
    other = "http://other.example/"
    tables = tables_of([listed(URL), redirect(URL, other), redirect(other, other)], RULE)
    assert rule_on(tables, RULE) == []
