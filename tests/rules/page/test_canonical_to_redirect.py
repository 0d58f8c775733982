"""canonical-to-redirect: the target returns a redirect."""

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, canonical, failed, head, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import listed

RULE = "canonical-to-redirect"
STATUSES = [
    (200, []),
    (301, ["error"]),
    (302, ["error"]),
    (303, ["error"]),
    (304, []),
    (307, ["error"]),
    (308, ["error"]),
    (401, []),
    (404, []),
    (500, []),
]


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Return tables in which /from-<status> has the canonical /to-<status>."""
    targets = [redirect(f"{SITE}/to-{status}", "/end", status) for status, _ in STATUSES]
    pages = [
        page_of(head(canonical(f"/to-{status}")), at=f"{SITE}/from-{status}")
        for status, _ in STATUSES
    ]
    locs = [page.url for page in pages]
    return tables_of([listed(*locs), *pages, *targets], RULE)


@pytest.mark.parametrize(("status", "expected"), STATUSES)
def test_status(tables: Tables, status: int, expected: list[str]) -> None:
    place = f"{SITE}/from-{status}"
    assert [severity for url, severity, _ in rule_on(tables, RULE) if url == place] == expected


def test_message() -> None:
    target = redirect(f"{SITE}/b", "/c", 308)
    tables = tables_of([listed(URL), page_of(head(canonical("/b"))), target], RULE)
    message = f"is canonicalized to {SITE}/b, which returns 308"
    assert rule_on(tables, RULE) == [(URL, "error", message)]


def test_a_target_with_a_refresh_is_reported() -> None:
    target = page_of(head(), "Refresh: 0; url=/c", at=f"{SITE}/b")
    tables = tables_of([listed(URL), page_of(head(canonical("/b"))), target], RULE)
    message = f"is canonicalized to {SITE}/b, which redirects with a refresh"
    assert rule_on(tables, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "target",
    [
        blocked(f"{SITE}/b"),
        failed(Error.TIMEOUT, at=f"{SITE}/b"),
        redirect(f"{SITE}/c", "/b"),
    ],
)
def test_nothing_is_reported_if_the_target_is_unknown(target: Page) -> None:
    tables = tables_of([listed(URL), page_of(head(canonical("/b"))), target], RULE)
    assert rule_on(tables, RULE) == []


def test_a_redirect_of_the_page_itself_is_not_reported() -> None:
    page = redirect(URL, "/b", 301, f"Link: <{URL}>; rel=canonical")
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
