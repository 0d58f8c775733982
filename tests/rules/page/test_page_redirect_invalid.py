"""page-redirect-invalid: the last response is a redirect without a valid Location."""

import json

import pytest

from sitemapaudit.items import Page
from tests.pages.responses import SITE, URL, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import listed

RULE = "page-redirect-invalid"
B = f"{SITE}/b"
INVALID = [
    "",
    "   ",
    "http://",
    "https:///",
    "http://[::1",
    "https://www.example.com:99999/",
    "https://a b.example/",
    "mailto:a@example.com",
    "javascript:alert(1)",
    "ftp://www.example.com/",
    "file:///etc/passwd",
    "data:text/html,x",
    "android-app://com.example/",
]
VALID = [
    "/b",
    "b",
    "?x",
    "#part",
    "//other.example/",
    " https://other.example/ ",
    "HTTP://other.example",
    "/bücher",
    "/a b",
]
LOCATIONS = [(location, ["error"]) for location in INVALID] + [(location, []) for location in VALID]


@pytest.fixture(scope="module")
def tables() -> Tables:
    pages = [redirect(url_for(location), location) for location, _ in LOCATIONS]
    locs = [page.url for page in pages]
    return tables_of([listed(*locs), *pages], RULE)


def url_for(location: str) -> str:
    return f"{SITE}/{location.encode().hex()}-"


def severities_at(tables: Tables, url: str) -> list[str]:
    return [severity for found, severity, _ in rule_on(tables, RULE) if found == url]


@pytest.mark.parametrize(("location", "expected"), LOCATIONS)
def test_location(tables: Tables, location: str, expected: list[str]) -> None:
    assert severities_at(tables, url_for(location)) == expected


def test_an_invalid_location_is_not_a_target() -> None:
    pages = [redirect(url_for(location), location) for location in INVALID]
    assert {page.target for page in pages} == {None}
    tables = tables_of([listed(*(page.url for page in pages)), *pages], "page-redirect-permanent")
    assert tables.rows == []


@pytest.mark.parametrize(
    ("lines", "problem", "location"),
    [
        ([], "no Location", None),
        (["Location:"], "no Location", ""),
        (["Location: mailto:a"], "the invalid Location 'mailto:a'", "mailto:a"),
    ],
)
def test_message_and_evidence(lines: list[str], problem: str, location: str | None) -> None:
    tables = tables_of([listed(URL), page_of("", *lines, status=302)], RULE)
    assert rule_on(tables, RULE) == [(URL, "error", f"returns 302 with {problem}")]
    (evidence,) = tables.findings.loc[tables.findings["rule"] == RULE, "evidence"]
    assert (json.loads(evidence)["status"], json.loads(evidence)["location"]) == (302, location)


def test_each_listed_url_is_reported_once() -> None:
    pages = [redirect(URL, "/b"), page_of(at=B, status=301)]
    tables = tables_of([listed(URL, B, URL), *pages], RULE)
    assert [url for url, _, _ in rule_on(tables, RULE)] == [URL, B]


@pytest.mark.parametrize(
    "page",
    [
        redirect(URL, "/not-fetched"),
        redirect(URL, URL),
        page_of("", "cf-mitigated: challenge", status=302),
    ],
)
def test_nothing_is_reported_if_the_end_is_unknown(page: Page) -> None:
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
