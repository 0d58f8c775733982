"""page-status-unusual: 1xx, 2xx other than 200, 3xx without redirect, or 200 without a body."""

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, failed, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support import listed

RULE = "page-status-unusual"
STATUSES = [
    (100, ["warning"]),
    (101, ["warning"]),
    (199, ["warning"]),
    (200, []),
    (201, ["warning"]),
    (202, ["warning"]),
    (203, ["warning"]),
    (204, ["warning"]),
    (205, ["warning"]),
    (206, ["warning"]),
    (299, ["warning"]),
    (300, ["warning"]),
    (301, []),
    (302, []),
    (303, []),
    (304, ["warning"]),
    (305, ["warning"]),
    (306, ["warning"]),
    (307, []),
    (308, []),
    (309, ["warning"]),
    (399, ["warning"]),
    (400, []),
    (404, []),
    (500, []),
]


@pytest.fixture(scope="module")
def tables() -> Tables:
    pages = [page_of("x", at=f"{SITE}/{status}", status=status) for status, _ in STATUSES]
    locs = [page.url for page in pages]
    return tables_of([listed(*locs), *pages], RULE)


@pytest.mark.parametrize(("status", "expected"), STATUSES)
def test_status(tables: Tables, status: int, expected: list[str]) -> None:
    place = f"{SITE}/{status}"
    assert [severity for url, severity, _ in rule_on(tables, RULE) if url == place] == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (page_of(""), ["returns 200 with an empty body"]),
        (page_of("", media="application/pdf"), ["returns 200 with an empty body"]),
        (page_of("x"), []),
        (page_of(" "), []),
        (page_of("", "Content-Length: 0", media="image/png", skipped=True), [
            "returns 200 with an empty body"
        ]),
        (page_of("", "Content-Length: 1", media="image/png", skipped=True), []),
        (page_of("", media="image/png", skipped=True), []),
        (page_of("", status=204), ["returns 204"]),
        (page_of("", status=404), []),
    ],
)  # fmt: skip
def test_empty_body(page: Page, expected: list[str]) -> None:
    tables = tables_of([listed(URL), page], RULE)
    assert [message for _, _, message in rule_on(tables, RULE)] == expected


def test_the_end_of_a_redirect_is_reported() -> None:
    empty = page_of(at=f"{SITE}/b")
    tables = tables_of([listed(URL), redirect(URL, "/b"), empty], RULE)
    message = f"redirects to {SITE}/b, which returns 200 with an empty body"
    assert rule_on(tables, RULE) == [(URL, "warning", message)]


@pytest.mark.parametrize(
    "page",
    [
        blocked(),
        failed(Error.TIMEOUT),
        page_of("", "cf-mitigated: challenge"),
        page_of("x", "x-amzn-waf-action: challenge", status=202),
        page_of(b"\x1f\x8b", "Content-Encoding: gzip"),
        page_of(b"\x1f\x8b", "Content-Encoding: gzip", status=203),
    ],
)
def test_nothing_is_reported_if_the_page_is_unknown(page: Page) -> None:
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
