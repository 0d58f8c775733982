"""page-redirect-temporary: the first response is 302, 303 or 307."""

from sitemapaudit.items import Error, Page
from tests.pages.responses import URL, blocked, failed, page_of, redirect
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import check, severities
from tests.support.rows import listed

RULE = "page-redirect-temporary"


def found(page: Page) -> list[tuple[str | None, str, str]]:
    return rule_on(tables_of([listed(URL), page], RULE), RULE)


def test_status() -> None:
    cases: list[tuple[int, list[str]]] = [
        (200, []),
        (300, []),
        (301, []),
        (302, ["warning"]),
        (303, ["warning"]),
        (304, []),
        (305, []),
        (306, []),
        (307, ["warning"]),
        (308, []),
        (404, []),
    ]
    check(RULE, cases, lambda status: [listed(URL), redirect(URL, "/b", status)], severities)


def test_message_contains_status_and_target() -> None:
    message = "returns 307 and redirects to /b"
    assert found(redirect(URL, "/b", 307)) == [(URL, "warning", message)]


def test_a_redirect_without_a_valid_location_is_not_reported() -> None:
    assert found(page_of(status=302)) == []


def test_a_missing_response_is_not_reported() -> None:
    assert found(failed(Error.TIMEOUT)) == []
    assert found(blocked()) == []
