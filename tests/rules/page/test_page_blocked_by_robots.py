"""page-blocked-by-robots: robots.txt disallows the URL; no other rule reports on it."""

import pytest

from tests.pages.responses import SITE, URL, blocked, page_of
from tests.rules.tables import tables_of
from tests.support.findings import found
from tests.support.rows import fetched_page, listed

RULE = "page-blocked-by-robots"


@pytest.mark.parametrize(
    "reason",
    [
        "robots.txt disallows it for Googlebot",
        "robots.txt could not be read (503): its host counts as disallowed",
    ],
)
def test_message_contains_the_reason(reason: str) -> None:
    (finding,) = found(RULE, fetched_page(URL, None, allowed=False, error_detail=reason))
    assert finding.message == f"is blocked: {reason}"
    assert finding.url == URL


def test_indexability_of_a_blocked_page_is_unknown() -> None:
    tables = tables_of([listed(URL), blocked(), page_of(at=f"{SITE}/unlisted")], RULE)
    assert list(tables.findings.loc[tables.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(tables.urls["verdict"]) == ["blocked"]
    assert list(tables.urls["indexable"].isna()) == [True]
