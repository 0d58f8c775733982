"""page-redirect-permanent: the first response is 301 or 308."""

import pytest

from tests.support.findings import found, severities
from tests.support.rows import fetched_page

URL = "https://www.example.com/a"
TARGET = "https://www.example.com/b"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (301, ["error"]),
        (308, ["error"]),
        (302, []),
        (303, []),
        (307, []),
        (300, []),
        (200, []),
        (404, []),
    ],
)
def test_status(status: int, expected: list[str]) -> None:
    page = fetched_page(URL, status, location="/b", target=TARGET)
    assert severities("page-redirect-permanent", page) == expected


def test_a_redirect_without_a_valid_location_is_not_reported() -> None:
    assert severities("page-redirect-permanent", fetched_page(URL, 301)) == []


def test_message_contains_status_and_target() -> None:
    (finding,) = found(
        "page-redirect-permanent", fetched_page(URL, 301, location="/b", target=TARGET)
    )
    assert finding.message == "returns 301 and redirects to /b"
    assert finding.url == URL
