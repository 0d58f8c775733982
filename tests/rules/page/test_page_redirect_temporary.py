"""page-redirect-temporary: the first answer is 302, 303 or 307."""

import pytest

from sitemapaudit.items import Error
from tests.pages.answers import URL, blocked, failed, page_of, redirect
from tests.support import found, severities

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


def test_message_names_status_and_target() -> None:
    (finding,) = found(RULE, redirect(URL, "/b", 307))
    assert (finding.message, finding.url) == ("answers 307 and redirects to /b", URL)


def test_without_a_usable_target_it_is_an_invalid_redirect() -> None:
    assert severities(RULE, page_of(status=302)) == []


def test_silent_without_an_answer() -> None:
    assert severities(RULE, failed(Error.TIMEOUT)) == []
    assert severities(RULE, blocked()) == []
