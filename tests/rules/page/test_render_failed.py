"""render-failed: the browser failed, or robots.txt blocks what the page needs."""

import pytest

from sitemapaudit.items import Error
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import fetched_page, listed, rendered

RULE = "render-failed"
URL = "https://www.example.com/a"
OWN, OTHER = "https://www.example.com/x.js", "https://cdn.example.net/x.js"


@pytest.mark.parametrize(
    ("error", "detail", "message"),
    [
        (Error.TIMEOUT, "it did not load", "could not be rendered: it did not load"),
        (Error.CRASHED, "Page crashed", "could not be rendered: Page crashed"),
        (Error.BROWSER, None, "could not be rendered: browser"),
    ],
)
def test_a_failure_of_the_browser_is_reported(
    error: Error, detail: str | None, message: str
) -> None:
    page = fetched_page(URL, noindex=False)
    row = rendered(page, None, error=error, error_detail=detail)
    tables = tables_of([listed(URL), page, row], RULE)
    assert rule_on(tables, RULE) == [(URL, "notice", message)]
    assert tables.urls["verdict"].tolist() == ["indexable"]


@pytest.mark.parametrize(
    ("blocked", "expected"),
    [
        ([], []),
        ([OTHER], []),
        ([OWN], [(URL, "notice", f"needs resources that robots.txt blocks: {OWN}")]),
        ([OTHER, OWN], [(URL, "notice", f"needs resources that robots.txt blocks: {OWN}")]),
    ],
)
def test_blocked_resources_of_the_own_host_are_reported(
    blocked: list[str], expected: list[tuple[str, str, str]]
) -> None:
    page = fetched_page(URL, noindex=False)
    tables = tables_of([listed(URL), page, rendered(page, blocked=blocked)], RULE)
    assert rule_on(tables, RULE) == expected


def test_a_page_that_was_not_rendered_is_not_reported() -> None:
    page = fetched_page(URL, noindex=False)
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
