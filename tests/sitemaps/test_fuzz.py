"""The sitemap reader with random input: it never crashes or hangs, and loses nothing."""

import gzip
import re
from collections.abc import Sequence
from html import escape
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sitemapaudit.http.decoding import CHUNK
from sitemapaudit.items import Entry, Kind, Sitemap
from sitemapaudit.urls import normalize
from tests.sitemaps.files import MARKUP, NAMESPACE, entry, listing, locs, read, urlset

# Milliseconds; long enough for a busy machine, and short enough to detect a hang.
DEADLINE = 5_000

FRAGMENTS = [
    b"<?xml version='1.0'?>",
    b"<?xml version='1.0' encoding='utf-16'?>",
    f"<urlset xmlns='{NAMESPACE}'>".encode(),
    b"<sitemapindex><sitemap>",
    b"<rss version='2.0'><channel><item><link>",
    b"<feed><entry><link href='",
    b"<!DOCTYPE urlset [<!ENTITY a 'b'>]>",
    b"<url><loc>https://example.com/",
    b"</loc></url>",
    b"</urlset>",
    b"https://example.com/\n",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\x1f\x8b\x08\0\0\0\0\0\0\xff",
    b"<html>",
    b"\n",
]
BYTES = st.binary(max_size=200) | st.lists(
    st.sampled_from(FRAGMENTS) | st.binary(max_size=6) | MARKUP.map(lambda text: text.encode()),
    max_size=12,
).map(b"".join)
HEADERS = st.sampled_from([{}, {"content_encoding": "gzip"}, {"content_encoding": "br, deflate"}])
CHUNKS = st.sampled_from([1, 2, 3, 7, 50, CHUNK])
URLS = st.sampled_from(["https://example.com/sitemap.xml", "https://example.com/list.txt.gz"])


def check(row: Sitemap, entries: list[Entry]) -> None:
    """Check what is true of the row and the entries of any file."""
    assert row.bytes is not None
    assert row.detected_format is not None
    assert row.complete
    assert row.xml_error is None or row.xml_error_line is not None
    for one in entries:
        assert one.kind is row.kind
        assert one.url is None or one.url == normalize(one.loc or "")
        assert one.line is not None
        assert one.line > 0
    assert [one.line for one in entries] == sorted(one.line or 0 for one in entries)
    assert [one.recovered for one in entries] == sorted(one.recovered for one in entries)


@settings(max_examples=500, deadline=DEADLINE)
@given(BYTES, URLS, HEADERS, st.integers(0, 2), st.integers(0, 300))
def test_any_bytes_are_read(
    body: bytes, url: str, headers: dict[str, Any], layers: int, limit: int
) -> None:
    for _ in range(layers):
        body = gzip.compress(body)
    check(*read(body, url, **headers))
    row, entries = read(body, url, limit=limit, **headers)
    check(row, entries)
    assert (row.bytes or 0) <= limit


@settings(max_examples=300, deadline=DEADLINE)
@given(MARKUP, st.sampled_from(["utf-8", "utf-16", "latin-1", "utf-16-be"]), CHUNKS)
@example("<loc><![CDATA[\x00]]>", "utf-8", 7)
def test_any_markup_in_a_urlset_is_read_in_any_chunks(
    markup: str, encoding: str, chunk: int
) -> None:
    body = urlset(entry("https://example.com/a"), markup, entry("https://example.com/b"))
    row, entries = read(body.encode(encoding, "replace"))
    check(row, entries)
    assert read(body.encode(encoding, "replace"), chunk=chunk) == (row, entries)


# Damage.

LOCS = [f"https://example.com/{number}?a=1&b={number}" for number in range(12)]
WHOLE = listing(*LOCS).encode()
FIRST = WHOLE.index(b"<url>")
ENTRY_ENDS = [match.end() for match in re.finditer(b"</url>", WHOLE)]
INSERTED = st.binary(min_size=1, max_size=8) | MARKUP.filter(bool).map(lambda text: text.encode())


def is_subsequence(part: Sequence[str | None], whole: Sequence[str | None]) -> bool:
    """Return whether all of ``part`` are in ``whole``, in the same order."""
    rest = iter(whole)
    return all(one in rest for one in part)


def check_damage(body: bytes, start: int, stop: int) -> None:
    """Read a file that was damaged from ``start`` to ``stop``; only that entry may be lost."""
    row, entries = read(body)
    check(row, entries)
    before = sum(end <= start for end in ENTRY_ENDS)
    after = sum(end < stop for end in ENTRY_ENDS) + 1
    assert locs(entries)[:before] == LOCS[:before]
    assert is_subsequence(LOCS[after:], locs(entries)[before:])
    assert not any(one.recovered for one in entries[:before])


@settings(max_examples=300, deadline=DEADLINE)
@given(st.integers(FIRST, len(WHOLE)), INSERTED)
def test_inserted_bytes_damage_one_entry(place: int, inserted: bytes) -> None:
    check_damage(WHOLE[:place] + inserted + WHOLE[place:], place, place)


@settings(max_examples=300, deadline=DEADLINE)
@given(st.integers(FIRST, len(WHOLE)), st.integers(1, 60))
def test_missing_bytes_damage_one_entry(place: int, length: int) -> None:
    check_damage(WHOLE[:place] + WHOLE[place + length :], place, place + length)


@settings(max_examples=300, deadline=DEADLINE)
@given(st.integers(FIRST, len(WHOLE) - 1), st.integers(1, 255))
def test_a_changed_byte_damages_one_entry(place: int, bits: int) -> None:
    damaged = bytearray(WHOLE)
    damaged[place] ^= bits
    check_damage(bytes(damaged), place, place + 1)


@settings(max_examples=200, deadline=DEADLINE)
@given(st.data())
def test_a_file_with_much_damage_is_read(data: st.DataObject) -> None:
    damaged = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(2, 20))):
        place = data.draw(st.integers(0, len(damaged)))
        stop = place + data.draw(st.integers(0, 9))
        damaged[place:stop] = data.draw(INSERTED)
    check(*read(bytes(damaged)))
    check(*read(gzip.compress(bytes(damaged))[: -data.draw(st.integers(1, 40))]))


@pytest.mark.parametrize("size", range(FIRST, len(WHOLE), 7))
def test_a_file_truncated_anywhere_keeps_its_complete_entries(size: int) -> None:
    row, entries = read(WHOLE[:size])
    check(row, entries)
    assert locs(entries) == LOCS[: sum(end <= size for end in ENTRY_ENDS)]


# Locs are read as written.

FORBIDDEN = "".join({*map(chr, range(32))} - {"\t", "\n", "\r"}) + "\ufffe\uffff"
CHARACTERS = st.characters(codec="utf-8", exclude_characters=FORBIDDEN)
TEXT = st.lists(
    CHARACTERS | st.sampled_from("&<>'\"]#;%\r\n\t ") | st.just("]]>"), max_size=40
).map("".join)
LISTED = st.lists(TEXT | TEXT.map("https://example.com/{}".format), max_size=5)


def write_escaped(text: str) -> str:
    return escape(text).replace("\r", "&#13;")


def write_cdata(text: str) -> str:
    split = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{split}]]>"


def write_references(text: str) -> str:
    return "".join(f"&#x{ord(character):X};" for character in text)


def write_commented(text: str) -> str:
    return "<!-- & <loc> -->".join(write_escaped(character) for character in text) + "<?a </url> ?>"


WRITERS = st.sampled_from([write_escaped, write_cdata, write_references, write_commented])
ENCODINGS = st.sampled_from(
    [
        "utf-8",
        "utf-8-sig",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "iso-8859-1",
        "windows-1252",
        "us-ascii",
    ]
)


def zip_members(body: bytes, sizes: list[int]) -> bytes:
    """Return a gzip file with several members."""
    zipped = b""
    for size in sizes:
        zipped += gzip.compress(body[:size], compresslevel=1)
        body = body[size:]
    return zipped + gzip.compress(body)


@settings(max_examples=400, deadline=DEADLINE)
@given(st.data(), LISTED, st.sampled_from(["", "s", "image", "x.-1", "ü"]), ENCODINGS)
def test_every_loc_is_read_as_written(
    data: st.DataObject, texts: list[str], prefix: str, encoding: str
) -> None:
    write = data.draw(WRITERS)
    assume(encoding.startswith("utf") or not (prefix == "ü" and encoding == "us-ascii"))
    if not encoding.startswith("utf"):
        texts = [text.encode("ascii", "ignore").decode() for text in texts]
    colon = f"{prefix}:" if prefix else ""
    written = "".join(
        f"<{colon}url><{colon}loc>{write(text)}</{colon}loc></{colon}url>\n" for text in texts
    )
    bound = f"xmlns{':' * bool(prefix)}{prefix}='{NAMESPACE}'"
    name = encoding.removesuffix("-sig")
    declaration = f"<?xml version='1.0' encoding='{name}'?>\n"
    body = f"{declaration}<{colon}urlset {bound}>\n{written}</{colon}urlset>"
    encoded = body.encode(encoding)
    layers = data.draw(st.integers(0, 2))
    if layers:
        encoded = zip_members(encoded, data.draw(st.lists(st.integers(0, 60), max_size=5)))
    if layers == 2:
        encoded = gzip.compress(encoded)

    row, entries = read(encoded, chunk=data.draw(CHUNKS))
    assert locs(entries) == texts
    assert [one.url for one in entries] == [normalize(text) for text in texts]
    assert (row.kind, row.xml_error, row.gzip_layers, row.gzip_error) == (
        Kind.URLSET,
        None,
        layers,
        None,
    )
    assert row.bytes == len(body.encode(encoding))


CHARACTER_ERRORS = ["&", "&nbsp;", "&#0;", "\x01", "\ufffe", "<", "]]>", entry("&")]
TAG_ERRORS = ["<1>", "<!a>", "<a>", "<url>", "</url>", "</urlset>", "<url a=b/>", "<url a='<'/>"]
UNCLOSED = ["<!--", "<!-- -- -->", "<![CDATA[", "<?"]
ERRORS = st.sampled_from(CHARACTER_ERRORS) | st.sampled_from(TAG_ERRORS) | st.sampled_from(UNCLOSED)


@settings(max_examples=400, deadline=DEADLINE)
@given(st.data(), LISTED, LISTED, ERRORS)
def test_an_error_damages_no_other_entry(
    data: st.DataObject, before: list[str], after: list[str], error: str
) -> None:
    write = data.draw(WRITERS)
    encoding = data.draw(st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]))
    body = urlset(
        *(entry(write(text)) for text in before), error, *(entry(write(text)) for text in after)
    ).encode(encoding)
    row, entries = read(body, chunk=data.draw(CHUNKS))
    assert row.xml_error is not None
    assert locs(entries[: len(before)]) == before
    assert not any(one.recovered for one in entries[: len(before)])
    assert [one.url for one in entries[: len(before)]] == [normalize(one) for one in before]
    recovered = entries[len(before) :]
    assert all(one.recovered for one in recovered) or error not in CHARACTER_ERRORS
    if error not in UNCLOSED:  # A loc may contain the missing end.
        assert locs(recovered)[len(recovered) - len(after) :] == after


@settings(max_examples=200, deadline=DEADLINE)
@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"))),
    st.booleans(),
    CHUNKS,
)
def test_every_line_of_a_text_file_is_read_as_written(
    texts: list[str], zipped: bool, chunk: int
) -> None:
    written = ["https://example.com/", *texts]
    body = "\r\n".join(written).encode()
    assume(body[257:].startswith((b"ustar\0", b"ustar  \0")) is False)
    sent = gzip.compress(body) if zipped else body
    row, entries = read(sent, "https://example.com/list.txt", chunk=chunk)
    assume(row.detected_format == "text")
    assert locs(entries) == [text for text in written if text.strip()]
