"""One answer and the page that is read from it: types, transfer, redirects, caps, challenges."""

import gzip
import zlib
from datetime import UTC, datetime

import brotli
import msgspec
import pytest

from sitemapaudit.answer import Answer
from sitemapaudit.datasets.schema import columns
from sitemapaudit.items import Error, Page
from sitemapaudit.pages.reader import MAX_BYTES, MAX_STATED, MAX_TEXT, read_page
from tests.pages.answers import SITE, URL, WITHHELD, canonical, head, page_of, swift, withheld
from tests.support import NOW

BODY = head("<title>One</title>", "<meta name=robots content=nofollow>", canonical("/b"))


def deflate(data: bytes, wbits: int) -> bytes:
    packer = zlib.compressobj(wbits=wbits)
    return packer.compress(data) + packer.flush()


def test_everything_of_a_page() -> None:
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
    ]
    page = page_of(body, *lines, elapsed=0.5, retries=1)
    assert (page.url, page.status, page.verdict) == (URL, 200, "indexable")
    assert (page.elapsed, page.retries, page.fetched_at) == (0.5, 1, NOW)
    assert page.last_modified == datetime(2026, 11, 20, 12, tzinfo=UTC)
    assert page.date == NOW
    assert page.sets_cookie is True
    assert (page.content_type, page.bytes, page.cut) == ("text/html", len(body), False)
    assert (page.title, page.h1, page.lang) == ("One", "First", "en")
    assert page.description == "about one"
    assert page.words == 4
    assert page.noindex is False
    assert page.canonical == URL
    assert [each.url for each in page.alternates] == [f"{SITE}/de"]
    assert [each.delay for each in page.refresh] == [60]
    assert page.error is None
    assert page.challenge is None


@pytest.mark.parametrize(
    ("media", "body", "read"),
    [
        ("text/html", BODY, True),
        ("TEXT/HTML; charset=utf-8", BODY, True),
        ("application/xhtml+xml", BODY, True),
        ("text/plain", BODY, False),
        ("application/xml", BODY, False),
        ("application/json", BODY, False),
        ("nonsense", BODY, False),
        (None, BODY, True),
        ("", BODY, True),
        (None, f" \n{BODY}", True),
        (None, f"\ufeff{BODY}", True),
        (None, f"<!-- a --> <!-- <b> -->\n{BODY}", True),
        (None, "<HTML><title>One</title>", True),
        (None, "<head><title>One</title>", True),
        (None, "<body class=x><title>One</title>", True),
        (None, "<title>One</title>", False),
        (None, "<htmlx><title>One</title>", False),
        (None, f"text {BODY}", False),
        (None, '<?xml version="1.0"?><urlset/>', False),
        (None, "%PDF-1.7 <html>", False),
        (None, "<!-- never closed <html>", False),
        (None, "", False),
    ],
)
def test_what_is_read_as_html(media: str | None, body: str, *, read: bool) -> None:
    page = page_of(body, media=media)
    assert page.title == ("One" if read else None)
    assert page.html is read
    assert page.noindex is False


@pytest.mark.parametrize("count", [1, 26])
def test_comments_before_what_is_no_html(count: int) -> None:
    with swift():
        assert page_of("<!---->" * count + "x", media=None).title is None


def test_without_html_the_headers_count() -> None:
    lines = [
        "X-Robots-Tag: noindex",
        "Link: </b>; rel=canonical, </de>; rel=alternate; hreflang=de",
    ]
    page = page_of(BODY, *lines, media="application/pdf")
    assert (page.directives, page.noindex) == (["noindex"], True)
    assert (page.canonical, page.canonical_source) == (f"{SITE}/b", "header")
    assert [each.source for each in page.alternates] == ["header"]


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
def test_redirect(status: int, location: str, target: str | None) -> None:
    page = page_of(BODY, f"Location: {location}", status=status)
    assert (page.location, page.target, page.verdict) == (location, target, "redirected")
    assert page.title is None
    assert page.noindex is None


@pytest.mark.parametrize("status", [200, 201, 300, 304, 404])
def test_location_without_redirect(status: int) -> None:
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
def test_compressed(body: bytes, encoding: str, media: str | None) -> None:
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
        (gzip.compress(PLAIN) + b"more", "gzip"),
        (zlib.compress(PLAIN)[:-1], "deflate"),
        (b"\xff" + PLAIN, "deflate"),
        (brotli.compress(PLAIN)[:-1], "br"),
        (PLAIN, "br"),
        (PLAIN, "no-such-coding"),
    ],
)
def test_broken_compression_says_nothing_of_the_page(body: bytes, encoding: str) -> None:
    page = page_of(body, f"Content-Encoding: {encoding}", "X-Robots-Tag: noindex")
    assert (page.error, page.verdict) == (Error.ENCODING, "unreachable")
    assert page.error_detail
    assert (page.noindex, page.directives, page.canonical) == (None, [], None)


def test_a_body_that_we_cut_is_not_broken() -> None:
    page = page_of(gzip.compress(PLAIN)[:-1], "Content-Encoding: gzip", cut=True)
    assert (page.error, page.cut, page.title) == (None, True, "One")


@pytest.mark.parametrize(("size", "cut"), [(MAX_BYTES, False), (MAX_BYTES + 1, True)])
@pytest.mark.parametrize("packed", [False, True])
def test_cap(size: int, *, cut: bool, packed: bool) -> None:
    body = b"<title>One</title>Text".ljust(size)
    lines = ["Content-Encoding: gzip"] if packed else []
    page = page_of(gzip.compress(body) if packed else body, *lines)
    assert (page.bytes, page.cut, page.title) == (MAX_BYTES, cut, "One")
    assert (page.error, page.verdict) == (None, "indexable")


def test_a_bomb_is_read_to_the_cap() -> None:
    bomb = gzip.compress(gzip.compress(bytes(4 * MAX_BYTES), 1), 1)
    page = page_of(bomb, "Content-Encoding: gzip, gzip")
    assert (page.bytes, page.cut) == (MAX_BYTES, True)


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
def test_announced_length_of_what_was_skipped(length: str | None, size: int | None) -> None:
    lines = [] if length is None else [f"Content-Length: {length}"]
    page = page_of("", *lines, media="video/mp4", skipped=True)
    assert (page.bytes, page.error) == (size, None)
    assert page.verdict == ("soft-404" if size == 0 else "indexable")


@pytest.mark.parametrize(("status", "size"), [(200, len(PLAIN)), (404, len(gzip.compress(PLAIN)))])
def test_only_what_is_read_is_decoded(status: int, size: int) -> None:
    page = page_of(gzip.compress(PLAIN), "Content-Encoding: gzip", status=status)
    assert page.bytes == size


@pytest.mark.parametrize("media", ["text/html", "application/pdf", None])
def test_what_is_no_html_was_read_all_the_same(media: str | None) -> None:
    page = page_of("text", media=media)
    assert (page.html, page.was_read) == (media == "text/html", True)
    assert not Page(URL).was_read


def test_only_fields_are_columns() -> None:
    assert "was_read" not in {column.name for column in columns(Page)}
    assert "was_read" not in msgspec.json.decode(msgspec.json.encode(page_of(BODY)))


def test_announced_length_of_what_was_read_does_not_count() -> None:
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
def test_challenge(status: int, line: str, challenge: str | None) -> None:
    page = page_of(BODY, line, status=status)
    assert page.challenge == challenge
    if challenge:
        assert page.verdict == "denied"
        assert (page.title, page.noindex, page.canonical) == (None, None, None)


@pytest.mark.parametrize("how", WITHHELD)
def test_what_is_not_known_stays_null(how: str) -> None:
    page = withheld(how, BODY, "X-Robots-Tag: noindex", "Link: </b>; rel=canonical")
    assert (page.noindex, page.directives, page.canonical) == (None, [], None)
    assert not page.was_read
    assert page.verdict not in ("indexable", "noindex", "canonicalized")


@pytest.mark.parametrize("error", list(Error))
def test_no_answer(error: Error) -> None:
    page = page_of(status=None, error=error, error_detail="words", retries=2)
    assert (page.error, page.error_detail, page.retries) == (error, "words", 2)
    assert (page.status, page.bytes, page.noindex, page.content_type) == (None, None, None, None)


@pytest.mark.parametrize(
    ("size", "kept"), [(MAX_TEXT, MAX_TEXT), (MAX_TEXT + 1, MAX_TEXT), (10 * MAX_TEXT, MAX_TEXT)]
)
def test_long_texts_are_cut(size: int, kept: int) -> None:
    text = "x" * size
    page = page_of(f"<html lang={text}><title>{text}</title><meta name=description content={text}>"
                   f"<h1>{text}</h1>")  # fmt: skip
    for short in (page.title, page.description, page.h1, page.lang):
        assert short == "x" * kept


@pytest.mark.parametrize("status", [200, 404])
def test_much_that_is_stated_is_cut(status: int) -> None:
    count = MAX_STATED + 1
    lines = [
        "X-Robots-Tag: " + "nofollow," * count,
        "Link: " + ", ".join(["</b>; rel=canonical"] * count),
        "Link: " + ", ".join(["</b>; rel=alternate; hreflang=de"] * count),
        *["Refresh: 5"] * count,
    ]
    page = page_of(head(), *lines, status=status)
    for stated in (page.statements, page.canonicals, page.alternates, page.refresh):
        assert len(stated) == MAX_STATED


def test_what_is_cut_counts_all_the_same() -> None:
    line = "X-Robots-Tag: " + "nofollow," * MAX_STATED + "noindex"
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
def test_a_date_is_seen_from_the_time_of_the_fetch(
    fetched_at: datetime | None, *, noindex: bool
) -> None:
    lines = {"x-robots-tag": ["unavailable_after: 2000-01-02"]}
    said = Answer(URL, 200, lines, b"x", fetched_at=fetched_at)
    assert read_page(said, Page(URL), "Googlebot").noindex is noindex


@pytest.mark.parametrize(
    ("status", "read"), [(199, False), (200, True), (206, True), (299, True), (300, False)]
)
def test_only_2xx_is_the_page(status: int, *, read: bool) -> None:
    page = page_of(BODY, status=status)
    assert (page.title is None, page.noindex is None) == (not read, not read)
    assert (page.html, page.was_read) == (read, read)


def test_an_answer_that_broke_off_is_not_read() -> None:
    page = page_of(BODY, "X-Robots-Tag: noindex", error=Error.TRUNCATED)
    assert (page.verdict, page.title, page.content_type) == ("unreachable", None, None)
