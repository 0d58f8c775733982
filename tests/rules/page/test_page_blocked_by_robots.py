"""page-blocked-by-robots: robots.txt disallows the URL; no other rule reports on it."""

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, failed, page_of
from tests.rules.tables import tables_of
from tests.support import fetched_page, found, listed, severities

RULE = "page-blocked-by-robots"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (blocked(), ["error"]),
        (fetched_page(URL, 200, allowed=True), []),
        (fetched_page(URL, 200, allowed=None), []),
        (fetched_page(URL, 403, allowed=True), []),
        (fetched_page(URL, None, error=Error.DNS), []),
        (fetched_page(URL, None, error=Error.TIMEOUT), []),
        (failed(Error.LIMIT), []),
        (page_of(), []),
    ],
)
def test_permission(page: Page, expected: list[str]) -> None:
    assert severities(RULE, page) == expected


@pytest.mark.parametrize(
    "reason",
    [
        "robots.txt disallows it for Googlebot",
        "robots.txt returns 503, which disallows everything",
    ],
)
def test_message_contains_the_reason(reason: str) -> None:
    (finding,) = found(RULE, fetched_page(URL, None, allowed=False, error_detail=reason))
    assert finding.message == f"is blocked: {reason}"
    assert finding.url == URL


def test_no_other_page_rule_reports_a_blocked_page() -> None:
    assert [finding.rule for finding in Audit().examine(blocked())] == [RULE]


def test_indexability_of_a_blocked_page_is_unknown() -> None:
    tables = tables_of([listed(URL), blocked(), page_of(at=f"{SITE}/unlisted")], RULE)
    assert list(tables.findings.loc[tables.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(tables.urls["verdict"]) == ["blocked"]
    assert list(tables.urls["indexable"].isna()) == [True]
