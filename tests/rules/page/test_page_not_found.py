"""page-not-found: the final status is 404 or 410."""

import pytest

from sitemapaudit.items import Error, Page, Role
from tests.pages.responses import SITE, URL, blocked, failed, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support import SITEMAP, listed

RULE = "page-not-found"
STATUSES = [
    (200, []),
    (204, []),
    (301, []),
    (400, []),
    (401, []),
    (403, []),
    (404, ["error"]),
    (405, []),
    (409, []),
    (410, ["error"]),
    (411, []),
    (429, []),
    (500, []),
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


def test_message_and_place(tables: Tables) -> None:
    assert rule_on(tables, RULE)[0] == (f"{SITE}/404", "error", "returns 404")
    assert set(tables.findings["sitemap"]) == {SITEMAP}


def test_the_end_of_a_redirect_is_reported() -> None:
    gone = page_of(at=f"{SITE}/c", status=410, role=Role.REDIRECT)
    pages = [redirect(URL, "/b"), redirect(f"{SITE}/b", "/c"), gone]
    tables = tables_of([listed(URL), *pages], RULE)
    message = f"redirects to {SITE}/c, which returns 410"
    assert rule_on(tables, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "page",
    [
        blocked(),
        failed(Error.TIMEOUT),
        failed(Error.LIMIT),
        page_of("", "cf-mitigated: challenge", status=404),
        redirect(URL, "/not-fetched"),
    ],
)
def test_nothing_is_reported_if_the_page_is_unknown(page: Page) -> None:
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []


def test_only_listed_urls_are_checked() -> None:
    target = page_of(at=f"{SITE}/b", status=404, role=Role.CANONICAL)
    assert rule_on(tables_of([listed(URL), page_of(), target], RULE), RULE) == []
