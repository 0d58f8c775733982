"""page-redirect-permanent: the first answer is 301 or 308."""

import pytest

from tests.support import answered, found, severities

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
    page = answered(URL, status, location="/b", target=TARGET)
    assert severities("page-redirect-permanent", page) == expected


def test_without_a_usable_target_it_is_an_invalid_redirect() -> None:
    assert severities("page-redirect-permanent", answered(URL, 301)) == []


def test_message_names_status_and_target() -> None:
    (finding,) = found("page-redirect-permanent", answered(URL, 301, location="/b", target=TARGET))
    assert finding.message == "answers 301 and redirects to /b"
    assert finding.url == URL
