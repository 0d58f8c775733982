"""page-server-error: the final status, after retries, is 500 to 599."""

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, failed, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support import listed

RULE = "page-server-error"
STATUSES = [
    (200, []),
    (404, []),
    (429, []),
    (499, []),
    (500, ["error"]),
    (502, ["error"]),
    (503, ["error"]),
    (520, ["error"]),
    (599, ["error"]),
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


@pytest.mark.parametrize(("retries", "attempts"), [(0, 1), (2, 3)])
def test_message_contains_the_number_of_attempts(retries: int, attempts: int) -> None:
    tables = tables_of([listed(URL), page_of(status=503, retries=retries)], RULE)
    assert rule_on(tables, RULE) == [(URL, "error", f"returns 503 (attempts: {attempts})")]


def test_the_end_of_a_redirect_is_reported() -> None:
    broken = page_of(at=f"{SITE}/b", status=500, retries=1)
    tables = tables_of([listed(URL), redirect(URL, "/b"), broken], RULE)
    message = f"redirects to {SITE}/b, which returns 500 (attempts: 2)"
    assert rule_on(tables, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "page",
    [
        blocked(),
        failed(Error.TIMEOUT),
        page_of("", "cf-mitigated: challenge", status=503),
        redirect(URL, "/not-fetched"),
    ],
)
def test_nothing_is_reported_if_the_page_is_unknown(page: Page) -> None:
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
