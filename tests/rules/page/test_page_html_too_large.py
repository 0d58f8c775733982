"""page-html-too-large: the decoded HTML has more than 2,097,152 bytes."""

import gzip

import pytest

from sitemapaudit.pages.page_reader import MAX_BYTES
from tests.pages.responses import URL, WITHHELD, page_of, withheld
from tests.support import found, severities

RULE = "page-html-too-large"
LIMIT = 2 * 1024 * 1024


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
        ("application/pdf", []),
        ("text/plain", []),
        (None, []),
    ],
)
def test_media_type(media: str | None, expected: list[str]) -> None:
    assert severities(RULE, page_of("x" * (LIMIT + 1), media=media)) == expected


def test_html_without_a_media_type_is_reported() -> None:
    assert severities(RULE, page_of("<html>" + "x" * LIMIT, media=None)) == ["notice"]


def test_a_file_that_was_not_downloaded_is_not_reported() -> None:
    length = f"Content-Length: {LIMIT + 1}"
    page = page_of("", length, media="video/mp4", skipped=True)
    assert (page.bytes, severities(RULE, page)) == (LIMIT + 1, [])


def test_message() -> None:
    (finding,) = found(RULE, page_of("x" * (LIMIT + 1)))
    assert (finding.message, finding.url) == ("has 2,097,153 bytes of HTML", URL)


def test_message_if_reading_stopped() -> None:
    (finding,) = found(RULE, page_of("x" * (MAX_BYTES + 1)))
    assert finding.message == f"has {MAX_BYTES:,} bytes of HTML or more (reading stopped)"


@pytest.mark.parametrize("how", WITHHELD)
def test_nothing_is_reported_if_the_page_is_unknown(how: str) -> None:
    assert severities(RULE, withheld(how, "x" * (LIMIT + 1))) == []
