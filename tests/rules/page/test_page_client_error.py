"""page-client-error: a 4xx status other than 401, 403, 404, 407, 410 and 429."""

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, failed, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support import listed

RULE = "page-client-error"
STATUSES = [
    (200, []),
    (301, []),
    (304, []),
    (399, []),
    (400, ["error"]),
    (401, []),
    (402, ["error"]),
    (403, []),
    (404, []),
    (405, ["error"]),
    (406, ["error"]),
    (407, []),
    (408, ["error"]),
    (409, ["error"]),
    (410, []),
    (411, ["error"]),
    (418, ["error"]),
    (428, ["error"]),
    (429, []),
    (430, ["error"]),
    (451, ["error"]),
    (499, ["error"]),
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


def test_message_with_and_without_a_redirect() -> None:
    teapot = page_of(at=f"{SITE}/b", status=418)
    tables = tables_of([listed(URL, teapot.url), redirect(URL, "/b"), teapot], RULE)
    assert rule_on(tables, RULE) == [
        (URL, "error", f"redirects to {SITE}/b, which returns 418"),
        (teapot.url, "error", "returns 418"),
    ]


@pytest.mark.parametrize(
    "page",
    [
        blocked(),
        failed(Error.TIMEOUT),
        page_of("", "x-amzn-waf-action: captcha", status=405),
        redirect(URL, "/not-fetched"),
    ],
)
def test_nothing_is_reported_if_the_page_is_unknown(page: Page) -> None:
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
