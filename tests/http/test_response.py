"""The response to a request: header lines, media type, charset, dates and redirect target."""

from datetime import UTC, datetime

import pytest

from sitemapaudit.http.dates import parse_http_date, to_utc
from sitemapaudit.http.response import Response

URL = "https://www.example.com/a/b?c"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def response_of_type(content_type: str | None) -> Response:
    headers = {} if content_type is None else {"content-type": [content_type]}
    return Response(URL, 200, headers)


def test_header_lines_are_in_order() -> None:
    response = Response(URL, 200, {"link": ["<a>", "<b>"]})
    assert response.header_lines("link") == ["<a>", "<b>"]
    assert response.header("link") == "<b>"


def test_missing_headers() -> None:
    response = Response(URL, 200)
    assert response.header_lines("link") == []
    assert response.header("link") is None
    assert response.header_time("date") is None
    assert response.media_type is None
    assert response.charset is None
    assert response.redirect_target() is None


@pytest.mark.parametrize(
    ("content_type", "media_type", "charset"),
    [
        (None, None, None),
        ("", None, None),
        ("   ", None, None),
        ("text/html", "text/html", None),
        ("TEXT/Html ; Charset=UTF-8", "text/html", "utf-8"),
        ("text/html;charset=utf-8", "text/html", "utf-8"),
        ('text/html; charset="ISO-8859-1"', "text/html", "iso-8859-1"),
        ("text/html; charset='utf-8'", "text/html", "utf-8"),
        ("text/html; version=1; charset=koi8-r", "text/html", "koi8-r"),
        ("text/html; charset=utf-8; charset=latin1", "text/html", "utf-8"),
        ("text/html; charset= utf-8 ", "text/html", "utf-8"),
        ("text/html; charset=", "text/html", None),
        ("text/html; charset", "text/html", None),
        ("text/html; xcharset=utf-8", "text/html", None),
        ("; charset=utf-8", None, "utf-8"),
        ("text/html;;;", "text/html", None),
    ],
)
def test_content_types(
    content_type: str | None, media_type: str | None, charset: str | None
) -> None:
    response = response_of_type(content_type)
    assert (response.media_type, response.charset) == (media_type, charset)


@pytest.mark.parametrize(
    "value",
    [
        "Sat, 21 Nov 2026 12:00:00 GMT",
        "Saturday, 21-Nov-26 12:00:00 GMT",
        "Sat Nov 21 12:00:00 2026",
        " Sat, 21 Nov 2026 12:00:00 GMT ",
        "Sat, 21 Nov 2026 12:00:00 -0000",
        "Sat, 21 Nov 2026 12:00:00",
        "Sat, 21 Nov 2026 13:30:00 +0130",
        "21 Nov 2026 04:00:00 PST",
    ],
)
def test_valid_http_dates(value: str) -> None:
    assert parse_http_date(value) == NOON
    assert Response(URL, 200, {"date": [value]}).header_time("date") == NOON


@pytest.mark.parametrize(
    "value",
    [
        "",
        "   ",
        "soon",
        "0",
        "-1",
        "1795262400",
        "2026-11-21T12:00:00Z",
        "Sat, 21 Nov 2026",
        "Sat, 32 Nov 2026 12:00:00 GMT",
        "Sat, 21 Nov 2026 25:00:00 GMT",
        "Sat, 21 Foo 2026 12:00:00 GMT",
        "Sat, 21 Nov 99999999999 12:00:00 GMT",
        "Sat, 21 Nov 2026 12:00:00 +999999999999",
        f"Sat, {'9' * 5000} Nov 2026 12:00:00 GMT",
    ],
)
def test_invalid_http_dates(value: str) -> None:
    assert parse_http_date(value) is None


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-11-21T12:00:00", NOON),
        ("2026-11-21T12:00:00+00:00", NOON),
        ("2026-11-21T04:00:00-08:00", NOON),
        ("0001-01-01T00:00:00+14:00", datetime.min.replace(tzinfo=UTC)),
        ("9999-12-31T23:59:59-12:00", datetime.max.replace(tzinfo=UTC)),
    ],
)
def test_times_are_converted_to_utc(moment: str, expected: datetime) -> None:
    assert to_utc(datetime.fromisoformat(moment)) == expected


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("https://other.example/x", "https://other.example/x"),
        ("/x", "https://www.example.com/x"),
        ("x", "https://www.example.com/a/x"),
        ("?x", "https://www.example.com/a/b?x"),
        ("//other.example", "https://other.example/"),
        (" /x ", "https://www.example.com/x"),
        ("/x#part", "https://www.example.com/x"),
        ("#part", URL),
        ("", None),
        (" ", None),
        ("mailto:a@example.com", None),
        ("https://user@other.example/", None),
        ("http://[::1", None),
    ],
)
def test_redirect_targets(location: str, target: str | None) -> None:
    assert Response(URL, 301, {"location": [location]}).redirect_target() == target


def test_secrets_in_headers_are_hidden() -> None:
    secret = ("set-cookie", "x-csrf-token", "authorization", "x-api-key", "x-session-id")
    plain = ("location", "www-authenticate", "etag", "x-cache", "x-robots-tag")
    headers = {name: ["a", "b"] for name in (*secret, *plain)}
    texts = Response(URL, 200, headers).header_texts
    shown = {name: ["***"] * 2 if name in secret else ["a", "b"] for name in headers}
    expected = [f"{name}: {value}" for name in sorted(headers) for value in shown[name]]
    assert texts == expected
