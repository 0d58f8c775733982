"""A response → a page: media types, transfer, redirects, limits and challenges."""

import gzip
import zlib
from datetime import UTC, datetime

import brotli
import msgspec
import pytest

from sitemapaudit.caps import MAX_ITEMS, MAX_TEXT
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Page
from sitemapaudit.items.schema import columns
from sitemapaudit.pages.page_reader import MAX_BYTES, read_page
from tests.pages.responses import SITE, URL, WITHHELD, canonical, head, page_of, withheld
from tests.support.effort import cpu_limit
from tests.support.rows import NOW

BODY = head("<title>One</title>", "<meta name=robots content=nofollow>", canonical("/b"))


def deflate(data: bytes, wbits: int) -> bytes:
    packer = zlib.compressobj(wbits=wbits)
    return packer.compress(data) + packer.flush()


def test_a_page_with_all_fields() -> None:
    body = (
        "<!doctype html><html lang=en><head><title>One</title>"
        "<meta name=Description content=' about  one '><meta name=description content=two>"
        f"{canonical('/a')}<link rel=alternate hreflang=de href=/de>"
        "<meta http-equiv=refresh content=60></head><body><h1>First</h1><p>a b c</p>"
    )
    lines = [
        "Last-Modified: Fri, 20 Nov 2026 12:00:00 GMT",
        "Date: Sat, 21 Nov 2026 12:00:00 GMT",
        "Set-Cookie: a=b",
        'ETag: W/"one"',
        "Vary: Accept-Encoding",
        "Vary: Cookie",
    ]
    page = page_of(body, *lines, elapsed=0.5, retries=1)
    assert (page.url, page.status, page.verdict) == (URL, 200, "indexable")
    assert (page.elapsed, page.retries, page.fetched_at) == (0.5, 1, NOW)
    assert page.last_modified == datetime(2026, 11, 20, 12, tzinfo=UTC)
    assert page.date == NOW
    assert (page.etag, page.vary) == ('W/"one"', "Accept-Encoding, Cookie")
    assert page.sets_cookie is True
    assert (page.content_type, page.bytes, page.truncated) == ("text/html", len(body), False)
    assert (page.title, page.h1, page.lang) == ("One", "First", "en")
    assert page.description == "about one"
    assert page.words == 4
    assert page.noindex is False
    assert page.canonical == URL
    assert [alternate.url for alternate in page.alternates] == [f"{SITE}/de"]
    assert [refresh.delay for refresh in page.refreshes] == [60]
    assert page.error is None
    assert page.challenge is None


def test_etag_and_vary_may_be_absent_or_long() -> None:
    absent = page_of(BODY)
    assert (absent.etag, absent.vary) == (None, None)
    long = page_of(BODY, "ETag: " + "e" * 9_000, "Vary: " + "v" * 9_000)
    assert (len(long.etag or ""), len(long.vary or "")) == (MAX_TEXT + 1, MAX_TEXT + 1)
    assert long.truncated_columns == ["etag", "vary"]


@pytest.mark.parametrize(
    ("media", "body", "read"),
    [
        ("text/html", BODY, True),
        ("TEXT/HTML; charset=utf-8", BODY, True),
        ("application/xhtml+xml", BODY, True),
        ("text/plain", BODY, False),
        ("application/xml", BODY, False),
        ("application/json", BODY, False),
        ("application/octet-stream", BODY, True),
        ("application/octet-stream", "%PDF", False),
        ("nonsense", BODY, True),
        (None, BODY, True),
        ("", BODY, True),
        (None, f" \n{BODY}", True),
        (None, f"\ufeff{BODY}", True),
        (None, f"<!-- a --> <!-- <b> -->\n{BODY}", True),
        (None, "<HTML><title>One</title>", True),
        (None, "<head><title>One</title>", True),
        (None, "<body class=x><title>One</title>", True),
        (None, "<title>One</title>", True),
        (None, "<htmlx><title>One</title>", False),
        (None, f"text {BODY}", False),
        (None, '<?xml version="1.0"?><urlset/>', False),
        (None, "%PDF-1.7 <html>", False),
        (None, "<!-- never closed <html>", False),
        (None, "", False),
    ],
)
def test_which_responses_are_read_as_html(media: str | None, body: str, *, read: bool) -> None:
    page = page_of(body, media=media)
    assert page.title == ("One" if read else None)
    assert page.is_html is read
    assert page.noindex is False


@pytest.mark.parametrize("count", [1, 26])
def test_comments_before_other_content_take_little_time(count: int) -> None:
    with cpu_limit():
        assert page_of("<!---->" * count + "x", media=None).title is None


def test_the_headers_of_other_media_types_are_read() -> None:
    lines = [
        "X-Robots-Tag: noindex",
        "Link: </b>; rel=canonical, </de>; rel=alternate; hreflang=de",
    ]
    page = page_of(BODY, *lines, media="application/pdf")
    assert (page.directives, page.noindex) == (["noindex"], True)
    assert (page.canonical, page.canonical_source) == (f"{SITE}/b", "header")
    assert [alternate.source for alternate in page.alternates] == ["header"]


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/b", f"{SITE}/b"),
        ("https://other.example/x#part", "https://other.example/x"),
        ("mailto:a@example.com", None),
        ("", None),
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects(status: int, location: str, target: str | None) -> None:
    page = page_of(BODY, f"Location: {location}", status=status)
    assert (page.location, page.target, page.verdict) == (location, target, "redirected")
    assert page.title is None
    assert page.noindex is None


@pytest.mark.parametrize("status", [200, 201, 300, 304, 404])
def test_a_location_without_a_redirect_has_no_target(status: int) -> None:
    page = page_of(BODY, "Location: /b", status=status)
    assert (page.location, page.target) == ("/b", None)


PLAIN = BODY.encode()


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (PLAIN, ""),
        (PLAIN, "identity"),
        (gzip.compress(PLAIN), "gzip"),
        (gzip.compress(PLAIN), "x-gzip"),
        (gzip.compress(PLAIN), "GZip"),
        (gzip.compress(PLAIN[:50]) + gzip.compress(PLAIN[50:]), "gzip"),
        (zlib.compress(PLAIN), "deflate"),
        (deflate(PLAIN, -15), "deflate"),
        (brotli.compress(PLAIN), "br"),
        (gzip.compress(brotli.compress(PLAIN)), "br, gzip"),
        (brotli.compress(gzip.compress(PLAIN)), "gzip, br"),
    ],
)
@pytest.mark.parametrize("media", ["text/html", None])
def test_compressed_pages_are_read(body: bytes, encoding: str, media: str | None) -> None:
    page = page_of(body, f"Content-Encoding: {encoding}", media=media)
    assert (page.title, page.bytes, page.error) == ("One", len(PLAIN), None)
    assert page.canonical == f"{SITE}/b"


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(PLAIN)[:-1], "gzip"),
        (gzip.compress(PLAIN)[:20], "gzip"),
        (gzip.compress(PLAIN)[:-8] + bytes(8), "gzip"),
        (PLAIN, "gzip"),
        (zlib.compress(PLAIN)[:-1], "deflate"),
        (b"\xff" + PLAIN, "deflate"),
        (brotli.compress(PLAIN)[:-1], "br"),
        (PLAIN, "br"),
        (PLAIN, "zstd"),
    ],
)
def test_a_page_with_broken_compression_is_unreachable(body: bytes, encoding: str) -> None:
    page = page_of(body, f"Content-Encoding: {encoding}", "X-Robots-Tag: noindex")
    assert (page.error, page.verdict) == (Error.ENCODING, "unreachable")
    assert page.error_detail
    assert (page.noindex, page.directives, page.canonical) == (None, [], None)


def test_a_body_that_the_auditor_truncated_is_not_broken() -> None:
    page = page_of(gzip.compress(PLAIN)[:-1], "Content-Encoding: gzip", truncated=True)
    assert (page.error, page.truncated, page.title) == (None, True, "One")


@pytest.mark.parametrize(("size", "truncated"), [(MAX_BYTES, False), (MAX_BYTES + 1, True)])
@pytest.mark.parametrize("zipped", [False, True])
def test_the_size_is_limited(size: int, *, truncated: bool, zipped: bool) -> None:
    body = b"<title>One</title>Text".ljust(size)
    lines = ["Content-Encoding: gzip"] if zipped else []
    page = page_of(gzip.compress(body) if zipped else body, *lines)
    assert (page.bytes, page.truncated, page.title) == (MAX_BYTES, truncated, "One")
    assert (page.error, page.verdict) == (None, "indexable")


def test_a_decompression_bomb_is_read_up_to_the_limit() -> None:
    bomb = gzip.compress(gzip.compress(bytes(4 * MAX_BYTES), 1), 1)
    page = page_of(bomb, "Content-Encoding: gzip, gzip")
    assert (page.bytes, page.truncated) == (MAX_BYTES, True)


@pytest.mark.parametrize(
    ("length", "size"),
    [
        (None, None),
        ("0", 0),
        ("2097153", 2_097_153),
        ("007", 7),
        ("9" * 18, int("9" * 18)),
        ("9" * 19, None),
        ("9" * 5_000, None),
        ("-1", None),
        ("+1", None),
        ("1.5", None),
        ("1, 1", None),
        ("0x10", None),
        ("٣", None),
        ("²", None),
        ("", None),
    ],
)
def test_the_announced_length_of_a_skipped_body_is_recorded(
    length: str | None, size: int | None
) -> None:
    lines = [] if length is None else [f"Content-Length: {length}"]
    page = page_of("", *lines, media="video/mp4", skipped=True)
    assert (page.bytes, page.error) == (size, None)
    assert page.verdict == ("soft-404" if size == 0 else "indexable")


@pytest.mark.parametrize(("status", "size"), [(200, len(PLAIN)), (404, len(gzip.compress(PLAIN)))])
def test_an_unread_body_is_not_decoded(status: int, size: int) -> None:
    page = page_of(gzip.compress(PLAIN), "Content-Encoding: gzip", status=status)
    assert page.bytes == size


@pytest.mark.parametrize("media", ["text/html", "application/pdf", None])
def test_a_page_that_is_not_html_was_read(media: str | None) -> None:
    page = page_of("text", media=media)
    assert (page.is_html, page.was_read) == (media == "text/html", True)
    assert not Page(URL).was_read


def test_properties_are_not_columns() -> None:
    assert "was_read" not in {column.name for column in columns(Page)}
    assert "was_read" not in msgspec.json.decode(msgspec.json.encode(page_of(BODY)))


def test_the_announced_length_of_a_read_body_is_ignored() -> None:
    assert page_of("one", "Content-Length: 99").bytes == 3


@pytest.mark.parametrize(
    ("line", "challenge"),
    [
        ("cf-mitigated: challenge", "cf-mitigated: challenge"),
        ("CF-Mitigated:  Challenge ", "cf-mitigated: challenge"),
        ("x-amzn-waf-action: challenge", "x-amzn-waf-action: challenge"),
        ("x-amzn-waf-action: captcha", "x-amzn-waf-action: captcha"),
        ("cf-mitigated: captcha", None),
        ("cf-mitigated:", None),
        ("x-amzn-waf-action: allow", None),
    ],
)
@pytest.mark.parametrize("status", [200, 202, 403, 405, 503])
def test_challenges_are_detected(status: int, line: str, challenge: str | None) -> None:
    page = page_of(BODY, line, status=status)
    assert page.challenge == challenge
    if challenge:
        assert page.verdict == "denied"
        assert (page.title, page.noindex, page.canonical) == (None, None, None)


@pytest.mark.parametrize("reason", WITHHELD)
def test_the_signals_of_an_unusable_response_are_null(reason: str) -> None:
    page = withheld(reason, BODY, "X-Robots-Tag: noindex", "Link: </b>; rel=canonical")
    assert (page.noindex, page.directives, page.canonical) == (None, [], None)
    assert not page.was_read
    assert page.verdict not in ("indexable", "noindex", "canonicalized")


@pytest.mark.parametrize("error", list(Error))
def test_an_error_is_recorded(error: Error) -> None:
    page = page_of(status=None, error=error, error_detail="detail", retries=2)
    assert (page.error, page.error_detail, page.retries) == (error, "detail", 2)
    assert (page.status, page.bytes, page.noindex, page.content_type) == (None, None, None, None)


@pytest.mark.parametrize(
    ("size", "cut"), [(MAX_TEXT, False), (MAX_TEXT + 1, True), (10 * MAX_TEXT, True)]
)
def test_long_texts_are_truncated(size: int, *, cut: bool) -> None:
    text = "x" * size
    page = page_of(f"<html lang={text}><title>{text}</title><meta name=description content={text}>"
                   f"<h1>{text}</h1>")  # fmt: skip
    names = ["title", "description", "h1", "lang"]
    for name in names:
        assert getattr(page, name) == "x" * MAX_TEXT + ("…" if cut else "")
    assert page.truncated_columns == (names if cut else [])


@pytest.mark.parametrize("status", [200, 404])
def test_the_number_of_statements_is_limited(status: int) -> None:
    count = MAX_ITEMS + 1
    lines = [
        "X-Robots-Tag: " + "nofollow," * count,
        "Link: " + ", ".join(["</b>; rel=canonical"] * count),
        "Link: " + ", ".join(["</b>; rel=alternate; hreflang=de"] * count),
        *["Refresh: 5"] * count,
    ]
    page = page_of(head(), *lines, status=status)
    for stated in (page.statements, page.canonicals, page.alternates, page.refreshes):
        assert len(stated) == MAX_ITEMS
    names = ["canonicals", "alternates", "statements", "refreshes"]
    assert page.truncated_columns == names


def test_statements_after_the_limit_count() -> None:
    line = "X-Robots-Tag: " + "nofollow," * MAX_ITEMS + "noindex"
    page = page_of(head(), line)
    assert (page.noindex, page.verdict) == (True, "noindex")


@pytest.mark.parametrize(
    ("fetched_at", "noindex"),
    [
        (datetime(2000, 1, 1, tzinfo=UTC), False),
        (datetime(2000, 1, 2, tzinfo=UTC), True),
        (None, True),
    ],
)
def test_unavailable_after_is_compared_with_the_fetch_time(
    fetched_at: datetime | None, *, noindex: bool
) -> None:
    lines = {"x-robots-tag": ["unavailable_after: 2000-01-02"]}
    response = Response(URL, 200, lines, b"x", fetched_at=fetched_at)
    assert read_page(response, Page(URL), "Googlebot").noindex is noindex


@pytest.mark.parametrize(
    ("status", "read"), [(199, False), (200, True), (206, True), (299, True), (300, False)]
)
def test_only_2xx_responses_are_read(status: int, *, read: bool) -> None:
    page = page_of(BODY, status=status)
    assert (page.title is None, page.noindex is None) == (not read, not read)
    assert (page.is_html, page.was_read) == (read, read)


def test_an_incomplete_response_is_not_read() -> None:
    page = page_of(BODY, "X-Robots-Tag: noindex", error=Error.TRUNCATED)
    assert (page.verdict, page.title, page.content_type) == ("unreachable", None, None)
