"""page-access-denied: 401, 403, 407 or 429, or a bot challenge."""

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, failed, head, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support import listed

RULE = "page-access-denied"
STATUSES = [
    (200, []),
    (301, []),
    (400, []),
    (401, ["warning"]),
    (402, []),
    (403, ["warning"]),
    (404, []),
    (406, []),
    (407, ["warning"]),
    (408, []),
    (428, []),
    (429, ["warning"]),
    (430, []),
    (451, []),
    (503, []),
]


@pytest.fixture(scope="module")
def tables() -> Tables:
    pages = [page_of(at=f"{SITE}/{status}", status=status) for status, _ in STATUSES]
    locs = [page.url for page in pages]
    return tables_of([listed(*locs), *pages], RULE)


@pytest.mark.parametrize(("status", "expected"), STATUSES)
def test_status(tables: Tables, status: int, expected: list[str]) -> None:
    place = f"{SITE}/{status}"
    assert [severity for url, severity, _ in rule_on(tables, RULE) if url == place] == expected


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("cf-mitigated: challenge", 200),
        ("CF-Mitigated: Challenge", 403),
        ("cf-mitigated: challenge", 503),
        ("x-amzn-waf-action: challenge", 202),
        ("x-amzn-waf-action: captcha", 405),
    ],
)
def test_a_challenge_is_the_only_finding(line: str, status: int) -> None:
    body = head("<meta name=robots content='index, noindex'>")
    page = page_of(body, line, "X-Robots-Tag: noindex", status=status)
    tables = tables_of([listed(URL), page], RULE)
    assert list(tables.findings.loc[tables.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(tables.urls["verdict"]) == ["denied"]
    assert list(tables.urls["indexable"].isna()) == [True]
    ((_, severity, message),) = rule_on(tables, RULE)
    assert severity == "warning"
    assert message == f"returns {status} ({line.lower()}): its content is unknown"


@pytest.mark.parametrize(
    "line", ["cf-mitigated: none", "x-amzn-waf-action: count", "cf-ray: 1", "server: cloudflare"]
)
def test_other_headers_are_not_a_challenge(line: str) -> None:
    assert rule_on(tables_of([listed(URL), page_of(head(), line)], RULE), RULE) == []


def test_the_end_of_a_redirect_is_reported() -> None:
    denied = page_of(at=f"{SITE}/b", status=403)
    tables = tables_of([listed(URL), redirect(URL, "/b"), denied], RULE)
    message = f"redirects to {SITE}/b, which returns 403: its content is unknown"
    assert rule_on(tables, RULE) == [(URL, "warning", message)]


@pytest.mark.parametrize(
    "page", [blocked(), failed(Error.TIMEOUT), failed(Error.LIMIT), redirect(URL, "/b")]
)
def test_other_unknown_pages_are_not_reported(page: Page) -> None:
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
