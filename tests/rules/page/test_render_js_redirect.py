"""render-js-redirect: the URL after rendering is another one."""

import pytest

from sitemapaudit.items import Error, Navigation, Refresh, Verdict
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import fetched_page, listed, rendered

RULE = "render-js-redirect"
URL, TARGET = "https://www.example.com/a", "https://www.example.com/b"


@pytest.mark.parametrize(
    ("by", "verdict", "method"),
    [
        ("document", Verdict.REDIRECTED, "another document"),
        ("history", Verdict.INDEXABLE, "history"),
    ],
)
def test_another_url_is_reported(by: str, verdict: Verdict, method: str) -> None:
    page = fetched_page(URL, noindex=False)
    row = rendered(page, verdict, final_url=TARGET, navigations=[Navigation(by, TARGET)])
    tables = tables_of([listed(URL), page, row], RULE)
    message = f"redirects to {TARGET} with JavaScript ({method}, status 200)"
    assert rule_on(tables, RULE) == [(URL, "warning", message)]
    assert tables.urls["verdict"].tolist() == [verdict.value]


def test_a_return_to_the_own_url_is_not_reported() -> None:
    page = fetched_page(URL, noindex=False)
    row = rendered(page, navigations=[Navigation("document", TARGET), Navigation("document", URL)])
    assert rule_on(tables_of([listed(URL), page, row], RULE), RULE) == []


def test_a_refresh_is_not_reported() -> None:
    page = fetched_page(URL, noindex=False, refreshes=[Refresh("meta", 0.0, "/b", TARGET)])
    row = rendered(page, Verdict.REDIRECTED, final_url=TARGET)
    tables = tables_of([listed(URL), page, row], RULE)
    assert rule_on(tables, RULE) == []


def test_nothing_is_reported_if_rendering_failed() -> None:
    page = fetched_page(URL, noindex=False)
    row = rendered(page, None, final_url=TARGET, error=Error.TIMEOUT)
    assert rule_on(tables_of([listed(URL), page, row], RULE), RULE) == []
