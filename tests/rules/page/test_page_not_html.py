"""page-not-html: the media type is not that of HTML."""

import pytest

from sitemapaudit.items import Error
from tests.pages.responses import URL, page_of
from tests.support.findings import found, severities

RULE = "page-not-html"


@pytest.mark.parametrize(
    ("media", "expected"),
    [
        ("text/html", []),
        ("text/html; charset=utf-8", []),
        ("Text/HTML;charset=UTF-8", []),
        (" text/html ", []),
        ("application/xhtml+xml", []),
        ("application/pdf", ["notice"]),
        ("application/msword", ["notice"]),
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            ["notice"],
        ),
        ("text/plain", ["notice"]),
        ("text/csv", ["notice"]),
        ("application/octet-stream", ["notice"]),
        ("application/vnd.oasis.opendocument.text", ["notice"]),
        ("application/zip", ["error"]),
        ("application/gzip", ["error"]),
        ("font/woff2", ["error"]),
        ("image/tiff", ["error"]),
        ("nonsense", ["notice"]),
        ("image/jpeg", ["warning"]),
        ("IMAGE/PNG", ["warning"]),
        ("image/svg+xml", ["warning"]),
        ("video/mp4", ["warning"]),
        ("audio/mpeg", ["error"]),
        ("audio/mpegurl", ["warning"]),
        ("text/javascript", ["warning"]),
        ("application/rss+xml", ["warning"]),
        ("application/atom+xml; charset=utf-8", ["warning"]),
        ("application/json", ["error"]),
        ("application/ld+json", ["error"]),
        ("application/feed+json", ["error"]),
        ("application/xml", ["warning"]),
        ("text/xml", ["warning"]),
        (None, ["notice"]),
        ("", ["notice"]),
        (";charset=utf-8", ["notice"]),
    ],
)
def test_media_type(media: str | None, expected: list[str]) -> None:
    assert severities(RULE, page_of("body", media=media)) == expected


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, ["notice"]),
        (206, ["notice"]),
        (299, ["notice"]),
        (300, []),
        (301, []),
        (304, []),
        (400, []),
        (404, []),
        (500, []),
    ],
)
def test_status(status: int, expected: list[str]) -> None:
    assert severities(RULE, page_of("%PDF", media="application/pdf", status=status)) == expected


def test_html_without_a_media_type_is_reported() -> None:
    assert severities(RULE, page_of("<html>", media=None)) == ["notice"]


def test_an_empty_body_is_not_reported() -> None:
    assert severities(RULE, page_of("", media="application/pdf")) == []
    assert severities(RULE, page_of("", media=None)) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [("X: y", ["warning"]), ("Content-Length: 7", ["warning"]), ("Content-Length: 0", [])],
)
def test_a_file_that_was_not_downloaded(line: str, expected: list[str]) -> None:
    page = page_of("", line, media="image/png", skipped=True)
    assert severities(RULE, page) == expected


@pytest.mark.parametrize(
    ("media", "message"),
    [
        ("image/png", "is served as image/png"),
        (None, "is served without a media type"),
        (
            "application/zip",
            "is served as application/zip, which is not a file type that Google indexes",
        ),
    ],
)
def test_message(media: str | None, message: str) -> None:
    (finding,) = found(RULE, page_of("body", media=media))
    assert (finding.message, finding.url) == (message, URL)


def test_a_truncated_response_is_not_reported() -> None:
    page = page_of("x", media="image/png", error=Error.TRUNCATED)
    assert severities(RULE, page) == []
