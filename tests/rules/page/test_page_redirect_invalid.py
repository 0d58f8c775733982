"""page-redirect-invalid: a redirect without a Location that can be followed."""

import pytest

from sitemapaudit.items import Error
from tests.pages.answers import URL, blocked, failed, page_of, redirect
from tests.support import found, severities

RULE = "page-redirect-invalid"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, []),
        (201, []),
        (300, []),
        (301, ["error"]),
        (302, ["error"]),
        (303, ["error"]),
        (304, []),
        (305, []),
        (306, []),
        (307, ["error"]),
        (308, ["error"]),
        (309, []),
        (404, []),
    ],
)
def test_status_without_location(status: int, expected: list[str]) -> None:
    assert severities(RULE, page_of(status=status)) == expected


@pytest.mark.parametrize(
    "location",
    [
        "",
        "   ",
        "http://",
        "https:///",
        "http://[::1",
        "https://www.example.com:99999/",
        "https://a b.example/",
        "mailto:a@example.com",
        "javascript:alert(1)",
        "ftp://www.example.com/",
        "file:///etc/passwd",
        "data:text/html,x",
        "android-app://com.example/",
    ],
)
def test_unusable_location(location: str) -> None:
    page = redirect(URL, location)
    assert severities(RULE, page) == ["error"]
    assert page.target is None
    assert severities("page-redirect-permanent", page) == []


@pytest.mark.parametrize(
    "location",
    [
        "/b",
        "b",
        "?x",
        "#part",
        "//other.example/",
        " https://other.example/ ",
        "HTTP://other.example",
        "/bücher",
        "/a b",
    ],
)
def test_usable_location(location: str) -> None:
    assert severities(RULE, redirect(URL, location)) == []


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "answers 302 with no Location"),
        (["Location:"], "answers 302 with no Location"),
        (["Location: mailto:a"], "answers 302 with the unusable Location 'mailto:a'"),
    ],
)
def test_message(lines: list[str], message: str) -> None:
    (finding,) = found(RULE, page_of("", *lines, status=302))
    assert (finding.message, finding.url) == (message, URL)


def test_silent_without_an_answer() -> None:
    assert severities(RULE, failed(Error.TIMEOUT)) == []
    assert severities(RULE, blocked()) == []
