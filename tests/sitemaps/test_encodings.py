"""Checks that a sitemap is UTF-8: its declarations and its bytes."""

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


def declare(name: str, body: str = ASCII) -> str:
    """Return the file with another encoding in its XML declaration."""
    return body.replace("UTF-8", name)


FILES = [
    # body, Content-Type, encoding, why it is not UTF-8
    (ASCII, None, "UTF-8", None),
    (ACCENTED, None, "UTF-8", None),
    (declare("utf-8"), "text/xml; charset=UTF-8", "utf-8", None),
    (declare("UTF8"), None, "UTF8", None),
    (codecs.BOM_UTF8 + ACCENTED.encode(), None, "UTF-8", None),
    (codecs.BOM_UTF8 + declare("utf8").encode(), None, "UTF-8", None),
    # Without a declaration, an XML file is UTF-8 (XML 1.0 section 4.3.3).
    (ACCENTED.removeprefix(DECLARATION), None, None, None),
    (ACCENTED.removeprefix(DECLARATION), "text/xml; charset=utf-8", "utf-8", None),
    # ASCII is a subset of UTF-8.
    (declare("us-ascii"), None, "us-ascii", None),
    (ASCII, "text/xml; charset=US-ASCII", "UTF-8", None),
    (ACCENTED, "text/xml; charset=us-ascii", "UTF-8", None),
    # Another encoding is declared.
    (declare("ISO-8859-1"), None, "ISO-8859-1", "its XML declaration says ISO-8859-1"),
    (
        declare("windows-1252", ACCENTED).encode("cp1252"),
        None,
        "windows-1252",
        "its XML declaration says windows-1252",
    ),
    (ASCII, "text/xml; charset=ISO-8859-1", "UTF-8", "its Content-Type says iso-8859-1"),
    (
        ASCII.removeprefix(DECLARATION),
        'text/xml; charset="latin1"',
        "latin1",
        "its Content-Type says latin1",
    ),
    (
        codecs.BOM_UTF8 + declare("latin1").encode(),
        None,
        "UTF-8",
        "its XML declaration says latin1",
    ),
    (declare("utf-16"), None, "utf-16", "its XML declaration says utf-16"),
    (declare("x-1"), None, "x-1", "its XML declaration says x-1"),
    # Another encoding is detected from the bytes.
    (ASCII.encode("utf-16"), None, "UTF-16LE", "it has a UTF-16LE byte order mark"),
    (
        codecs.BOM_UTF16_BE + ASCII.encode("utf-16-be"),
        "text/xml; charset=utf-8",
        "UTF-16BE",
        "it has a UTF-16BE byte order mark",
    ),
    (
        declare("UTF-16").encode("utf-16-le"),
        None,
        "UTF-16LE",
        "its first bytes are UTF-16LE",
    ),
    # Invalid bytes, although no other encoding is declared.
    (ACCENTED.encode("latin-1"), None, "UTF-8", "line 3 has invalid bytes"),
    (b"\n" + ACCENTED.encode("latin-1"), None, "UTF-8", "line 4 has invalid bytes"),
    (ASCII.encode() + b"\xed\xa0\x80", None, "UTF-8", "line 5 has invalid bytes"),
    (ASCII.encode() + b"\xc3", None, "UTF-8", "line 5 has invalid bytes"),
    (b"\xe9\n" + ASCII.encode(), None, "UTF-8", "line 1 has invalid bytes"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "content_type", "encoding", "error"), FILES)
@pytest.mark.parametrize("zipped", [False, True])
def test_encodings_of_xml(
    body: str | bytes,
    content_type: str | None,
    encoding: str | None,
    error: str | None,
    zipped: bool,
) -> None:
    sent = body.encode() if isinstance(body, str) else body
    headers: dict[str, Any] = {"content_type": content_type} if content_type else {}
    row, entries = read(gzip.compress(sent) if zipped else sent, **headers)
    assert len(entries) == 1
    assert (row.encoding, row.encoding_error) == (encoding, error)


TEXTS = [
    (A.encode(), None, None, None),
    (f"{A}/é".encode(), "text/plain; charset=utf-8", "utf-8", None),
    (codecs.BOM_UTF8 + A.encode(), None, "UTF-8", None),
    (
        A.encode(),
        "text/plain; charset=iso-8859-1",
        "iso-8859-1",
        "its Content-Type says iso-8859-1",
    ),
    (A.encode("utf-16"), None, "UTF-16LE", "it has a UTF-16LE byte order mark"),
    (f"{A}\n{A}/é".encode("latin-1"), None, None, "line 2 has invalid bytes"),
]


@pytest.mark.parametrize(("body", "content_type", "encoding", "error"), TEXTS)
def test_encodings_of_text(
    body: bytes, content_type: str | None, encoding: str | None, error: str | None
) -> None:
    headers: dict[str, Any] = {"content_type": content_type} if content_type else {}
    row, _ = read(body, LIST, **headers)
    assert (row.encoding, row.encoding_error) == (encoding, error)


@pytest.mark.parametrize(
    "body", [b"<html>\xe9", b"caf\xe9", b"", b"\x89PNG\0", b"<a>\xe9</a>", b"PK\x03\x04\xe9"]
)
def test_a_file_that_is_not_a_sitemap_is_not_checked(body: bytes) -> None:
    row, _ = read(body, content_type="text/html; charset=latin1")
    assert (row.encoding, row.encoding_error) == (None, None)


def test_the_whole_file_is_checked_after_an_xml_error() -> None:
    body = urlset(entry("&"), *[entry(A)] * 5_000, entry("é")).encode("latin-1")
    row, _ = read(body)
    assert row.xml_error_line == 3
    assert row.encoding_error == "line 5,004 has invalid bytes"


@pytest.mark.parametrize("size", range(1, 12))
def test_a_character_at_the_size_limit_is_not_an_error(size: int) -> None:
    whole = (f"{A}/" + "é😀" * 3).encode()
    row, _ = read(whole, LIST, limit=len(whole) - size)
    assert row.encoding_error is None
    row, _ = read(whole[:-1], LIST)
    assert row.encoding_error is not None


def test_an_incomplete_character_is_reported_with_its_line() -> None:
    check = Utf8Check()
    for chunk in (b"a\n\xc3", b"\na\n", b"b\n"):
        check.feed(chunk)
    assert check.error == "line 2 has invalid bytes"


@given(st.binary(max_size=80) | st.text(max_size=40).map(str.encode), st.lists(st.integers(0, 9)))
def test_any_bytes_in_any_chunks_match_the_decoder(body: bytes, sizes: list[int]) -> None:
    check, rest = Utf8Check(), body
    for size in sizes:
        check.feed(rest[:size])
        rest = rest[size:]
    check.feed(rest)
    check.feed(b"", final=True)
    try:
        body.decode()
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        assert check.error == f"line {line} has invalid bytes"
    else:
        assert check.error is None
