"""page-redirect-temporary: the first response is 302, 303 or 307."""

import pytest

from sitemapaudit.items import Error
from tests.pages.responses import URL, blocked, failed, page_of, redirect
from tests.support.findings import found, severities

RULE = "page-redirect-temporary"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
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
    ],
)
def test_status(status: int, expected: list[str]) -> None:
    assert severities(RULE, redirect(URL, "/b", status)) == expected


def test_message_contains_status_and_target() -> None:
    (finding,) = found(RULE, redirect(URL, "/b", 307))
    assert (finding.message, finding.url) == ("returns 307 and redirects to /b", URL)


def test_a_redirect_without_a_valid_location_is_not_reported() -> None:
    assert severities(RULE, page_of(status=302)) == []


def test_a_missing_response_is_not_reported() -> None:
    assert severities(RULE, failed(Error.TIMEOUT)) == []
    assert severities(RULE, blocked()) == []
