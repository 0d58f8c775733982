"""page-timeout: no complete response within the time limit."""

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, failed, page_of, redirect
from tests.rules.tables import rule_on, tables_of
from tests.support import listed

RULE = "page-timeout"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (failed(Error.TIMEOUT, "20 seconds"), ["error"]),
        (failed(Error.DNS), []),
        (failed(Error.RESET), []),
        (failed(Error.TLS), []),
        (failed(Error.TRUNCATED), []),
        (failed(Error.LIMIT), []),
        (page_of(status=408), []),
        (page_of(status=504), []),
        (page_of(), []),
        (blocked(), []),
    ],
)
def test_error(page: Page, expected: list[str]) -> None:
    tables = tables_of([listed(URL), page], RULE)
    assert [severity for _, severity, _ in rule_on(tables, RULE)] == expected


@pytest.mark.parametrize("detail", ["20 seconds", "robots.txt: 20 seconds"])
def test_message_contains_the_time_limit(detail: str) -> None:
    tables = tables_of([listed(URL), failed(Error.TIMEOUT, detail)], RULE)
    assert rule_on(tables, RULE) == [
        (URL, "error", f"returns no complete response in time ({detail})")
    ]
    assert list(tables.urls["verdict"]) == ["unreachable"]
    assert list(tables.urls["indexable"].isna()) == [True]


def test_the_end_of_a_redirect_is_reported() -> None:
    slow = failed(Error.TIMEOUT, "20 seconds", at=f"{SITE}/b")
    tables = tables_of([listed(URL), redirect(URL, "/b"), slow], RULE)
    message = f"redirects to {SITE}/b, which returns no complete response in time (20 seconds)"
    assert rule_on(tables, RULE) == [(URL, "error", message)]
