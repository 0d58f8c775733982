"""encodings: whether a sitemap is UTF-8, in what it says and in its bytes."""

import codecs
import gzip
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.sitemaps.encodings import Utf8Check
from tests.sitemaps.files import DECLARATION, entry, listing, read, urlset

A = "https://example.com/a"
ASCII = listing(A)
ACCENTED = listing("https://example.com/é")
LIST = "https://example.com/list.txt"


def declared(name: str, body: str = ASCII) -> str:
    return body.replace("UTF-8", name)


SAID = [
    # body, Content-Type, encoding, why it is not UTF-8
    (ASCII, None, "UTF-8", None),
    (ACCENTED, None, "UTF-8", None),
    (declared("utf-8"), "text/xml; charset=UTF-8", "utf-8", None),
    (declared("UTF8"), None, "UTF8", None),
    (codecs.BOM_UTF8 + ACCENTED.encode(), None, "UTF-8", None),
    (codecs.BOM_UTF8 + declared("utf8").encode(), None, "UTF-8", None),
    # Nothing is said: an XML file is then UTF-8 (XML 1.0 section 4.3.3).
    (ACCENTED.removeprefix(DECLARATION), None, None, None),
    (ACCENTED.removeprefix(DECLARATION), "text/xml; charset=utf-8", "utf-8", None),
    # ASCII is a part of UTF-8.
    (declared("us-ascii"), None, "us-ascii", None),
    (ASCII, "text/xml; charset=US-ASCII", "UTF-8", None),
    (ACCENTED, "text/xml; charset=us-ascii", "UTF-8", None),
    # Another encoding is named.
    (declared("ISO-8859-1"), None, "ISO-8859-1", "its XML declaration names ISO-8859-1"),
    (
        declared("windows-1252", ACCENTED).encode("cp1252"),
        None,
        "windows-1252",
        "its XML declaration names windows-1252",
    ),
    (ASCII, "text/xml; charset=ISO-8859-1", "UTF-8", "Content-Type names iso-8859-1"),
    (
        ASCII.removeprefix(DECLARATION),
        'text/xml; charset="latin1"',
        "latin1",
        "Content-Type names latin1",
    ),
    (
        codecs.BOM_UTF8 + declared("latin1").encode(),
        None,
        "UTF-8",
        "its XML declaration names latin1",
    ),
    (declared("utf-16"), None, "utf-16", "its XML declaration names utf-16"),
    (declared("x-1"), None, "x-1", "its XML declaration names x-1"),
    # Or told by the bytes.
    (ASCII.encode("utf-16"), None, "UTF-16LE", "its byte order mark is that of UTF-16LE"),
    (
        codecs.BOM_UTF16_BE + ASCII.encode("utf-16-be"),
        "text/xml; charset=utf-8",
        "UTF-16BE",
        "its byte order mark is that of UTF-16BE",
    ),
    (
        declared("UTF-16").encode("utf-16-le"),
        None,
        "UTF-16LE",
        "its first bytes are those of UTF-16LE",
    ),
    # Bytes that are not UTF-8, though nothing else is claimed.
    (ACCENTED.encode("latin-1"), None, "UTF-8", "line 3 has bytes that are not valid"),
    (b"\n" + ACCENTED.encode("latin-1"), None, "UTF-8", "line 4 has bytes that are not valid"),
    (ASCII.encode() + b"\xed\xa0\x80", None, "UTF-8", "line 5 has bytes that are not valid"),
    (ASCII.encode() + b"\xc3", None, "UTF-8", "line 5 has bytes that are not valid"),
    (b"\xe9\n" + ASCII.encode(), None, "UTF-8", "line 1 has bytes that are not valid"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "content_type", "encoding", "fault"), SAID)
@pytest.mark.parametrize("packed", [False, True])
def test_xml(
    body: str | bytes,
    content_type: str | None,
    encoding: str | None,
    fault: str | None,
    packed: bool,
) -> None:
    sent = body.encode() if isinstance(body, str) else body
    headers: dict[str, Any] = {"content_type": content_type} if content_type else {}
    row, entries = read(gzip.compress(sent) if packed else sent, **headers)
    assert len(entries) == 1
    assert (row.encoding, row.not_utf8) == (encoding, fault)


TEXTS = [
    (A.encode(), None, None, None),
    (f"{A}/é".encode(), "text/plain; charset=utf-8", "utf-8", None),
    (codecs.BOM_UTF8 + A.encode(), None, "UTF-8", None),
    (A.encode(), "text/plain; charset=iso-8859-1", "iso-8859-1", "Content-Type names iso-8859-1"),
    (A.encode("utf-16"), None, "UTF-16LE", "its byte order mark is that of UTF-16LE"),
    (f"{A}\n{A}/é".encode("latin-1"), None, None, "line 2 has bytes that are not valid"),
]


@pytest.mark.parametrize(("body", "content_type", "encoding", "fault"), TEXTS)
def test_text(
    body: bytes, content_type: str | None, encoding: str | None, fault: str | None
) -> None:
    headers: dict[str, Any] = {"content_type": content_type} if content_type else {}
    row, _ = read(body, LIST, **headers)
    assert (row.encoding, row.not_utf8) == (encoding, fault)


@pytest.mark.parametrize(
    "body", [b"<html>\xe9", b"caf\xe9", b"", b"\x89PNG\0", b"<a>\xe9</a>", b"PK\x03\x04\xe9"]
)
def test_what_is_no_sitemap_is_not_judged(body: bytes) -> None:
    row, _ = read(body, content_type="text/html; charset=latin1")
    assert (row.encoding, row.not_utf8) == (None, None)


def test_the_whole_file_is_looked_at_though_its_parse_ends_early() -> None:
    body = urlset(entry("&"), *[entry(A)] * 5_000, entry("é")).encode("latin-1")
    row, _ = read(body)
    assert row.fault_line == 3
    assert row.not_utf8 == "line 5,004 has bytes that are not valid"


@pytest.mark.parametrize("size", range(1, 12))
def test_a_file_that_breaks_off_within_a_character_is_not_judged_by_it(size: int) -> None:
    whole = (f"{A}/" + "é😀" * 3).encode()
    row, _ = read(whole, LIST, cap=len(whole) - size)
    assert row.not_utf8 is None
    row, _ = read(whole[:-1], LIST)
    assert row.not_utf8 is not None


def test_a_character_that_breaks_off_is_told_by_its_own_line() -> None:
    check = Utf8Check()
    for piece in (b"a\n\xc3", b"\na\n", b"b\n"):
        check.take(piece)
    assert check.fault == "line 2 has bytes that are not valid"


@given(st.binary(max_size=80) | st.text(max_size=40).map(str.encode), st.lists(st.integers(0, 9)))
def test_any_bytes_in_any_pieces(body: bytes, sizes: list[int]) -> None:
    check, rest = Utf8Check(), body
    for size in sizes:
        check.take(rest[:size])
        rest = rest[size:]
    check.take(rest)
    check.take(b"", final=True)
    try:
        body.decode()
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        assert check.fault == f"line {line} has bytes that are not valid"
    else:
        assert check.fault is None
