"""page-html-too-large: more than 2 MB of HTML or other text, or more than 64 MB of a PDF."""

import gzip

import pytest

from sitemapaudit.pages.page_reader import MAX_BYTES
from tests.pages.responses import URL, page_of
from tests.support.findings import found, severities

RULE = "page-html-too-large"
LIMIT = 2 * 1024 * 1024
PDF_LIMIT = 64 * 1024 * 1024


@pytest.mark.parametrize(
    ("size", "expected"), [(1, []), (LIMIT - 1, []), (LIMIT, []), (LIMIT + 1, ["notice"])]
)
def test_size(size: int, expected: list[str]) -> None:
    assert severities(RULE, page_of("x" * size)) == expected
    packed = gzip.compress(b"x" * size)
    assert severities(RULE, page_of(packed, "Content-Encoding: gzip")) == expected


def test_bytes_are_counted_not_characters() -> None:
    assert severities(RULE, page_of("ä" * (LIMIT // 2))) == []
    assert severities(RULE, page_of("ä" * (LIMIT // 2 + 1))) == ["notice"]


@pytest.mark.parametrize(
    ("media", "expected"),
    [
        ("text/html", ["notice"]),
        ("application/xhtml+xml", ["notice"]),
        ("text/plain", ["notice"]),
        ("text/markdown", ["notice"]),
        ("application/rss+xml", ["notice"]),
        ("application/pdf", []),
        ("image/svg+xml", []),
        ("application/octet-stream", []),
        (None, []),
    ],
)
def test_media_type(media: str | None, expected: list[str]) -> None:
    assert severities(RULE, page_of("x" * (LIMIT + 1), media=media)) == expected


def test_html_without_a_media_type_is_reported() -> None:
    assert severities(RULE, page_of("<html>" + "x" * LIMIT, media=None)) == ["notice"]


@pytest.mark.parametrize(
    ("media", "size", "expected"),
    [
        ("text/csv", LIMIT, []),
        ("text/csv", LIMIT + 1, ["notice"]),
        ("application/pdf", PDF_LIMIT, []),
        ("application/pdf", PDF_LIMIT + 1, ["notice"]),
        ("video/mp4", PDF_LIMIT + 1, []),
    ],
)
def test_the_announced_size_of_a_file_that_was_not_downloaded(
    media: str, size: int, expected: list[str]
) -> None:
    page = page_of("", f"Content-Length: {size}", media=media, skipped=True)
    assert (page.bytes, severities(RULE, page)) == (size, expected)


def test_an_unknown_size_is_not_reported() -> None:
    assert severities(RULE, page_of("", media="application/pdf", skipped=True)) == []


def test_message() -> None:
    (finding,) = found(RULE, page_of("x" * (LIMIT + 1)))
    assert finding.message == ("has 2,097,153 bytes of HTML; Googlebot reads the first 2,097,152")
    assert finding.url == URL


def test_message_if_reading_stopped() -> None:
    (finding,) = found(RULE, page_of("x" * (MAX_BYTES + 1)))
    assert finding.message.startswith(f"has {MAX_BYTES:,} bytes of HTML or more (reading stopped);")
