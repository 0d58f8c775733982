"""Responses for images and videos are read from their headers."""

import pytest

from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, MediaFile
from sitemapaudit.pages.media_reader import read_media

URL = "https://cdn.example.com/a.jpg"


def read(status: int | None = 200, **headers: str) -> MediaFile:
    """Return the row of a response with these headers."""
    given = {name.replace("_", "-"): [value] for name, value in headers.items()}
    return read_media(Response(URL, status, given), MediaFile(URL))


@pytest.mark.parametrize(
    ("status", "headers", "size"),
    [
        (200, {"content_length": "1234"}, 1234),
        (200, {"content_length": "0"}, 0),
        (200, {}, None),
        (200, {"content_length": "-1"}, None),
        (200, {"content_length": "9" * 19}, None),
        (200, {"content_length": "1234", "content_encoding": "gzip"}, None),
        (206, {"content_length": "1", "content_range": "bytes 0-0/1234"}, 1234),
        (206, {"content_length": "1", "content_range": " BYTES 0-0/1234 "}, 1234),
        (206, {"content_length": "1", "content_range": "bytes 0-0/*"}, None),
        (206, {"content_length": "1"}, None),
        (404, {"content_length": "1234"}, None),
    ],
)
def test_size(status: int, headers: dict[str, str], size: int | None) -> None:
    assert read(status, **headers).bytes == size


def test_media_type() -> None:
    assert read(content_type="Image/JPEG; q=1").content_type == "image/jpeg"
    assert read().content_type is None


def test_redirects() -> None:
    moved = read(301, location="/b.jpg#part")
    assert (moved.target, moved.error) == ("https://cdn.example.com/b.jpg", None)
    for location in ("ftp://cdn.example.com/a.jpg", ""):
        row = read(302, location=location)
        assert (row.target, row.error) == (None, Error.REDIRECT_INVALID)
    assert read(304, location="/b.jpg").target is None


def test_challenges() -> None:
    assert read(403, cf_mitigated="challenge").challenge == "cf-mitigated: challenge"


def test_failures() -> None:
    response = Response(URL, error=Error.DNS, error_detail="the host name cannot be resolved")
    row = read_media(response, MediaFile(URL))
    assert (row.status, row.error, row.error_detail) == (None, Error.DNS, response.error_detail)
