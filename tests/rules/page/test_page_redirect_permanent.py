"""page-redirect-permanent: the first response is 301 or 308."""

from sitemapaudit.items import Page
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import check, severities
from tests.support.rows import fetched_page, listed

URL = "https://www.example.com/a"
TARGET = "https://www.example.com/b"
RULE = "page-redirect-permanent"


def found(page: Page) -> list[tuple[str | None, str, str]]:
    return rule_on(tables_of([listed(URL), page], RULE), RULE)


def test_status() -> None:
    cases: list[tuple[int, list[str]]] = [
        (301, ["error"]),
        (308, ["error"]),
        (302, []),
        (303, []),
        (307, []),
        (300, []),
        (200, []),
        (404, []),
    ]

    def items(status: int) -> list[Item]:
        return [listed(URL), fetched_page(URL, status, location="/b", target=TARGET)]

    check(RULE, cases, items, severities)


def test_a_redirect_without_a_valid_location_is_not_reported() -> None:
    assert found(fetched_page(URL, 301)) == []


def test_message_contains_status_and_target() -> None:
    message = "returns 301 and redirects to /b"
    page = fetched_page(URL, 301, location="/b", target=TARGET)
    assert found(page) == [(URL, "error", message)]
