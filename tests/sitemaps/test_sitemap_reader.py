"""A sitemap file in any format → its row and its entries, exactly as written."""

import codecs
import gzip
import zlib
from datetime import UTC, datetime
from typing import Any

import brotli
import pytest

from sitemapaudit.caps import MAX_TEXT
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entry, Error, Kind, Sitemap
from sitemapaudit.sitemaps import sitemap_reader
from sitemapaudit.sitemaps.format_detection import HEAD, MAX_SPACE
from sitemapaudit.sitemaps.sitemap_reader import SitemapReader, contains_sitemap
from sitemapaudit.sitemaps.text_file import MAX_LINE
from sitemapaudit.sitemaps.xml_stream import MAX_ELEMENT
from tests.sitemaps.files import (
    DECLARATION,
    NAMESPACE,
    SITEMAP,
    entry,
    listing,
    locs,
    measure_growth,
    read,
    urlset,
)

A, B, C = (f"https://example.com/{name}" for name in "abc")
LIST = "https://example.com/list.txt"


def lines(entries: list[Entry]) -> list[int | None]:
    return [one.line for one in entries]


def urls(entries: list[Entry]) -> list[str | None]:
    return [one.url for one in entries]


def split_locs(entries: list[Entry]) -> tuple[list[str | None], list[str | None]]:
    """Return the locs before the first error, and the recovered ones after it."""
    recovered = [one.recovered for one in entries]
    assert recovered == sorted(recovered)
    return (
        [one.loc for one in entries if not one.recovered],
        [one.loc for one in entries if one.recovered],
    )


# The response.


def test_the_row_describes_the_response() -> None:
    headers = {
        "content-type": ["Text/XML; charset=utf-8"],
        "content-encoding": ["GZIP"],
        "last-modified": ["Sat, 21 Nov 2026 10:00:00 GMT"],
        "set-cookie": ["session=1", "user=2"],
    }
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    body = gzip.compress(listing(A).encode())
    response = Response(f"{SITEMAP}?2", 200, headers, body, elapsed=1.5, retries=2, fetched_at=now)
    row = Sitemap(SITEMAP, hops=1)
    assert locs(list(SitemapReader(response, row))) == [A]
    assert row == Sitemap(
        SITEMAP,
        hops=1,
        status=200,
        final_url=f"{SITEMAP}?2",
        content_type="text/xml",
        content_encoding="gzip",
        kind=Kind.URLSET,
        detected_format="xml",
        encoding="UTF-8",
        namespace=NAMESPACE,
        namespaces=[NAMESPACE],
        bytes=len(listing(A)),
        entries=1,
        last_modified=datetime(2026, 11, 21, 10, tzinfo=UTC),
        headers=[
            "content-encoding: GZIP",
            "content-type: Text/XML; charset=utf-8",
            "last-modified: Sat, 21 Nov 2026 10:00:00 GMT",
            "set-cookie: ***",
            "set-cookie: ***",
        ],
        elapsed=1.5,
        retries=2,
        fetched_at=now,
    )


@pytest.mark.parametrize("status", [200, 203, 206])
def test_a_successful_response_is_read(status: int) -> None:
    row = Sitemap(SITEMAP)
    response = Response(SITEMAP, status, body=listing(A).encode())
    assert locs(list(SitemapReader(response, row))) == [A]


@pytest.mark.parametrize(
    ("status", "error"),
    [(404, None), (301, None), (304, None), (503, None), (None, Error.DNS), (200, Error.TRUNCATED)],
)
def test_an_unsuccessful_response_is_not_read(status: int | None, error: Error | None) -> None:
    row = Sitemap(SITEMAP)
    response = Response(
        SITEMAP, status, body=listing(A).encode(), error=error, error_detail="detail"
    )
    assert list(SitemapReader(response, row)) == []
    assert (row.status, row.error, row.error_detail) == (status, error, "detail")
    assert row.final_url == (SITEMAP if status else None)
    assert (row.detected_format, row.bytes, row.entries) == (None, None, 0)


@pytest.mark.parametrize("status", [400, 599])
def test_the_body_of_an_error_is_described(status: int) -> None:
    row = Sitemap(SITEMAP)
    assert list(SitemapReader(Response(SITEMAP, status, body=listing(A).encode()), row)) == []
    assert row.error_body is Kind.URLSET
    assert (row.body_start or "").startswith("<?xml")


# Entries, exactly as written.


def test_comments_and_instructions_change_nothing() -> None:
    image = f"<image:image>|<image:loc>{B}|</image:loc>|</image:image>"
    elements = f"<url>|<loc>{A[:9]}|{A[9:]}</loc>|{image}|</url>"
    attributes = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    texts = [
        urlset(elements.replace("|", markup), f"{markup}<other/>{markup}", attributes=attributes)
        for markup in ("", "<!-- c --><?p i?>")
    ]
    (row, entries), (commented_row, commented) = map(read, texts)
    assert commented == entries
    assert [entry.loc for entry in entries] == [A]
    assert commented_row.unexpected_elements == row.unexpected_elements
    assert len(row.unexpected_elements) == 1


def test_entries_beyond_the_limit_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_reader, "HARD_ENTRIES", 2)
    body = listing(A, B, A)
    row, entries = read(body)
    assert (locs(entries), row.truncated, row.bytes) == ([A, B], True, len(body.encode()))
    assert not read(listing(A, B))[0].truncated


def test_entries_have_position_and_line() -> None:
    body = urlset(entry(A), "", f"<url>\n<loc>{B}</loc></url>{entry(A)}", "<!--\n-->", entry(C))
    row, entries = read(body)
    assert locs(entries) == [A, B, A, C]
    assert lines(entries) == [3, 5, 6, 9]
    assert (row.entries, row.recovered_entries, row.xml_error) == (4, 0, None)


def test_repeated_entries_are_kept() -> None:
    assert locs(read(listing(*[A] * 1_000))[1]) == [A] * 1_000


def test_lines_can_exceed_sixteen_bits() -> None:
    _, entries = read(urlset(*[entry(A)] * 70_000))
    assert lines(entries) == list(range(3, 70_003))


AS_WRITTEN = [
    # markup of the loc, loc, url
    (A, A, A),
    (f" {A}\n", f" {A}\n", A),
    ("HTTPS://Example.COM:443", "HTTPS://Example.COM:443", "https://example.com/"),
    (f"{A}#top", f"{A}#top", A),
    (f"{A}?b=1&amp;c=%7e", f"{A}?b=1&c=%7e", f"{A}?b=1&c=~"),
    (f"{A}?b=1&amp;amp;c", f"{A}?b=1&amp;c", f"{A}?b=1&amp;c"),
    ("https://example.com/é", "https://example.com/é", "https://example.com/%C3%A9"),
    ("https://example.com/&#233;", "https://example.com/é", "https://example.com/%C3%A9"),
    ("//example.com/a", "//example.com/a", None),
    ("javascript:alert(1)", "javascript:alert(1)", None),
    ("not an address", "not an address", None),
]


@pytest.mark.parametrize(("markup", "loc", "url"), AS_WRITTEN)
def test_a_loc_is_kept_as_written(markup: str, loc: str, url: str | None) -> None:
    _, (only,) = read(urlset(entry(markup)))
    assert (only.loc, only.url) == (loc, url)


def test_a_sitemap_without_entries() -> None:
    row, entries = read(urlset())
    assert entries == []
    assert (row.kind, row.xml_error, row.bytes) == (Kind.URLSET, None, len(urlset()))


@pytest.mark.parametrize("white", ["\u00a0", "\u3000", "\u2028"])
def test_non_ascii_white_space_belongs_to_the_address(white: str) -> None:
    encoded = "".join(f"%{byte:02X}" for byte in white.encode())
    _, (only,) = read(urlset(entry(f"\n {A}{white}\n")))
    assert (only.loc, only.url) == (f"\n {A}{white}\n", A + encoded)
    _, (first, second) = read(f" {A}{white} \n{white}{A}", LIST)
    assert (first.url, second.url) == (A + encoded, None)


# Entities that the file declares.

LAUGHS = "".join(
    f'<!ENTITY {name} "{f"&{one};" * 10}">'
    for one, name in zip("abcdefgh", "bcdefghi", strict=True)
)
DOCTYPES = [
    f"<!DOCTYPE urlset [<!ENTITY i '{B}'>]>",
    "<!DOCTYPE urlset [<!ENTITY i SYSTEM 'file:///etc/passwd'>]>",
    "<!DOCTYPE urlset [<!ENTITY i SYSTEM 'https://example.invalid/'>]>",
    f"<!DOCTYPE urlset [<!ENTITY a 'ha'>{LAUGHS}]>",
    f"<!DOCTYPE urlset [<!ENTITY % p '<!ENTITY i \"{B}\">'> %p;]>",
    "<!DOCTYPE urlset SYSTEM 'https://example.invalid/a.dtd'>",
]


@pytest.mark.parametrize("broken", ["", "<url><loc>?a&b</loc></url>"])
@pytest.mark.parametrize("doctype", DOCTYPES)
def test_an_entity_is_never_expanded(doctype: str, broken: str) -> None:
    body = urlset(entry("&i;"), entry(f"{A}&i;b"), broken, entry(A), declaration=doctype)
    row, entries = read(body)
    assert locs(entries) == ["&i;", f"{A}&i;b", *(["?a&b"] if broken else []), A]
    assert urls(entries) == [None] * (len(entries) - 1) + [A]
    assert row.kind is Kind.URLSET
    assert row.doctype


# Entries after an error.

ERRORS = [
    # Line 4 between A and C, with "^" at the error; the recovered loc; its URL.
    (entry(f"{B}?a=1&b^=2"), f"{B}?a=1&b=2", f"{B}?a=1&b=2"),
    (entry(f"{B}?a=1&b^=2;&c=3"), f"{B}?a=1&b=2;&c=3", f"{B}?a=1&b=2;&c=3"),
    (entry(f"{B}?a &^ b"), f"{B}?a & b", f"{B}?a%20&%20b"),
    (entry(f"{B}?a&amp^"), f"{B}?a&amp", f"{B}?a&amp"),
    (entry(f"{B}&nbsp;^"), f"{B}&nbsp;", None),
    (entry(f"{B}&eacute;^l"), f"{B}&eacute;l", None),
    (entry(f"{B}^\x01"), f"{B}\ufffd", None),
    (entry(f"{B}^\0"), f"{B}\ufffd", None),
    (entry(f"{B}^\ufffe"), f"{B}\ufffd", None),
    (entry(f"{B}&#1;^"), f"{B}&#1;", None),
    (entry(f"{B}&#xDFFF;^"), f"{B}&#xDFFF;", None),
    (entry(f"{B}?a<^=b"), f"{B}?a<=b", None),
    (entry(f"{B}^]]>"), f"{B}]]>", f"{B}]]%3E"),
    (f"<url><loc>{B}</url>^", B, B),
    (f"<url><loc>{B}</Loc>^</url>", B, B),
    (f"<url><loc>{B}</loc></loc>^</url>", B, B),
    (f"<loc>{B}</loc></url>^", B, B),
    (f"<url a=^b><loc>{B}</loc></url>", B, B),
    (f"<url a='b' a='c'^><loc>{B}</loc></url>", B, B),
    (f"<url><loc>{B}</loc><image:image></url>^", B, B),
    (f"<!-- b ^-- c -->{entry(B)}", B, B),
    (f"</urlset>^{entry(B)}", B, B),
    (f"<^ {entry(B)}", B, B),
    (entry(f"<![CDATA[{B}?a&b]]>&^"), f"{B}?a&b&", f"{B}?a&b&"),
]


@pytest.mark.parametrize(("markup", "loc", "url"), ERRORS)
def test_entries_after_an_error_are_recovered(markup: str, loc: str, url: str | None) -> None:
    before, mark, after = markup.partition("^")
    row, entries = read(urlset(entry(A), before + after, entry(C)))
    assert split_locs(entries) == ([A], [loc, C])
    assert urls(entries) == [A, url, C]
    assert lines(entries) == [3, 4, 5]
    if "image:" not in markup:  # The undeclared prefix is the first error.
        assert mark
        assert (row.xml_error_line, row.xml_error_column) == (4, len(before) + 1)
    assert row.recovered_entries == 2


def test_the_first_of_many_errors_is_reported() -> None:
    row, entries = read(urlset(entry(A), *[entry(f"{B}?{n}&a") for n in range(1_000)], entry(C)))
    assert locs(entries) == [A, *(f"{B}?{n}&a" for n in range(1_000)), C]
    assert row.xml_error_line == 4
    assert row.recovered_entries == 1_001


def test_an_unclosed_entry_keeps_its_position() -> None:
    broken = f"<url><loc>{B}</loc>"
    row, entries = read(urlset(entry(A), broken, *[entry(C)] * 100))
    assert split_locs(entries) == ([A], [B] + [C] * 100)
    assert lines(entries) == list(range(3, 105))
    assert row.xml_error is not None
    assert row.xml_error_line == 105


def test_a_nested_entry_follows_the_outer_one() -> None:
    nested = f"<url><loc>{A}</loc>{entry(B)}<lastmod>2026</lastmod></url>"
    row, entries = read(urlset(nested, entry(C)))
    assert split_locs(entries) == ([A, B, C], [])
    assert row.xml_error is None


@pytest.mark.parametrize("opening", ["<!-- ", "<![CDATA[", "<?php "])
def test_an_unclosed_section_hides_no_entries(opening: str) -> None:
    row, entries = read(urlset(entry(A), opening, entry(B), entry(C)))
    assert split_locs(entries) == ([A], [B, C])
    assert row.xml_error is not None


def test_an_undeclared_prefix_loses_no_entry() -> None:
    image = "<image:image><image:loc>i</image:loc></image:image>"
    row, entries = read(urlset(entry(A), f"<url><loc>{B}</loc>{image}</url>", entry(C)))
    assert split_locs(entries) == ([A, B, C], [])
    assert row.xml_error == "Namespace prefix image on image is not defined"
    assert row.xml_error_line == 4


def test_invalid_utf8_is_replaced() -> None:
    body = urlset(entry(A), entry("https://example.com/caf\xe9?b"), entry(C)).encode("latin-1")
    row, entries = read(body)
    assert split_locs(entries) == ([A], ["https://example.com/caf\ufffd?b", C])
    assert urls(entries) == [A, None, C]
    assert (row.xml_error_line, row.xml_error_column) == (
        4,
        len("<url><loc>https://example.com/caf") + 1,
    )


def test_an_unknown_encoding_loses_no_entry() -> None:
    row, entries = read(urlset(entry(A), entry(B), declaration=DECLARATION.replace("UTF-8", "x-1")))
    assert split_locs(entries) == ([], [A, B])
    assert row.xml_error is not None
    assert row.xml_error_line == 1


@pytest.mark.parametrize("end", [b"", b"\n", b"<!-- end -->", "é".encode()])
def test_a_truncated_file_has_no_truncated_addresses(end: bytes) -> None:
    whole = listing(A, B, C).encode().rstrip()
    for size in range(len(DECLARATION) + 70, len(whole) - len("</urlset>")):
        row, entries = read(whole[:size] + end)
        complete = whole[:size].count(b"</url>")
        assert locs(entries) == [A, B, C][:complete]
        assert row.xml_error is not None


def test_a_truncated_text_file_has_no_truncated_addresses() -> None:
    whole = f"{A}\n{B}\n{C}".encode()
    zipped = gzip.compress(whole)
    for size in range(20, len(zipped)):
        row, entries = read(zipped[:size], LIST)
        assert locs(entries) in ([], [A], [A, B])
        assert row.gzip_error is not None
    for limit in range(1, len(whole)):
        row, entries = read(whole, LIST, limit=limit)
        assert locs(entries) == [A, B][: whole[:limit].count(b"\n")]
        assert row.truncated
    assert locs(read(whole, LIST)[1]) == [A, B, C]
    row, _ = read("é", LIST, limit=1)
    assert (row.truncated, row.encoding_error) == (True, None)


def test_a_file_that_ends_in_its_first_tag_has_no_entries() -> None:
    for size in range(1, len(DECLARATION) + 50):
        row, entries = read(listing(A)[:size])
        assert (row.kind, entries) == (Kind.UNKNOWN, [])


# Content before the file.


@pytest.mark.parametrize(
    "before",
    [b"\n", b" \r\n\t", b"<br />\n<b>Warning</b>: x\n", b"junk", b"\xe9\xff\n", "é\n".encode()],
)
def test_content_before_the_declaration_is_skipped(before: bytes) -> None:
    row, entries = read(before + listing(A, B).encode())
    assert split_locs(entries) == ([A, B], [])
    assert lines(entries) == [3 + before.count(b"\n"), 4 + before.count(b"\n")]
    assert row.leading_chars == len(before.decode(errors="surrogateescape"))
    assert row.xml_error is None
    assert row.bytes == len(before) + len(listing(A, B))


def test_the_line_of_an_error_counts_skipped_lines() -> None:
    row, entries = read(f"\n\n{urlset(entry('&'), entry(B))}")
    assert (row.leading_chars, row.xml_error_line, row.xml_error_column) == (2, 5, 12)
    assert lines(entries) == [5, 6]


@pytest.mark.parametrize(
    ("before", "column"), [("  ", 2), ("junk", 4), ("a\n\nbc", 2), ("é", 1), ("\ufeff", 0)]
)
def test_the_column_of_an_error_counts_skipped_characters(before: str, column: int) -> None:
    row, _ = read(f"{before}<?xml version='1.0'?><urlset><1/></urlset>")
    assert row.xml_error_line == 1 + before.count("\n")
    assert row.xml_error_column == column + len("<?xml version='1.0'?><urlset><1")
    row, _ = read(f"{before}<?xml version='1.0'?>\n<urlset><1/></urlset>")
    assert row.xml_error_column == len("<urlset><1")


LONG = listing(*[A] * 2_000)


@pytest.mark.parametrize("size", [65_530, HEAD, HEAD + 1, MAX_SPACE])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_file_after_much_white_space_is_read(size: int, encoding: str) -> None:
    body = (" " * (size - 1) + "\n" + LONG).encode(encoding)
    for sent in (body, gzip.compress(body)):
        row, entries = read(sent)
        assert locs(entries) == [A] * 2_000
        assert (row.leading_chars, row.xml_error, entries[0].line) == (size, None, 4)


def test_other_formats_after_much_white_space_are_read() -> None:
    space = "\n" * 100_000
    assert locs(read(space + A, LIST)[1]) == [A]
    assert locs(read((space + LONG).encode("utf-16"))[1]) == [A] * 2_000
    assert read(f"{space}<!doctype html>")[0].kind is Kind.HTML
    assert read(space)[0].detected_format == "empty"


def test_white_space_before_a_file_without_a_declaration_is_allowed() -> None:
    row, entries = read("\n " + urlset(entry(A), declaration=""))
    assert (row.leading_chars, row.xml_error) == (0, None)
    assert locs(entries) == [A]


def test_a_declaration_in_a_comment_does_not_count() -> None:
    body = urlset("<!-- <?xml version='1.0'?> -->", entry(A), declaration="")
    row, entries = read(body)
    assert (row.leading_chars, row.xml_error) == (0, None)
    assert locs(entries) == [A]


def test_a_second_declaration_is_an_error() -> None:
    row, entries = read(DECLARATION + listing(A))
    assert split_locs(entries) == ([], [A])
    assert row.xml_error_line == 2
    assert row.kind is Kind.URLSET


# Encodings.

E_ACUTE = "https://example.com/é"


@pytest.mark.parametrize(
    "body",
    [
        listing(E_ACUTE).encode("utf-8-sig"),
        listing(E_ACUTE).replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        listing(E_ACUTE).replace("UTF-8", "windows-1252").encode("cp1252"),
        listing(E_ACUTE).replace("UTF-8", "UTF-16").encode("utf-16"),
        listing(E_ACUTE).encode("utf-16"),
        codecs.BOM_UTF16_BE + listing(E_ACUTE).encode("utf-16-be"),
        listing(E_ACUTE).replace("UTF-8", "UTF-16LE").encode("utf-16-le"),
        listing(E_ACUTE).encode("utf-16-be"),
        codecs.BOM_UTF16_LE + urlset(entry(E_ACUTE), declaration="\n").encode("utf-16-le"),
        # A false declaration.
        listing(E_ACUTE).replace("UTF-8", "utf-16").encode(),
    ],
)
def test_files_in_any_encoding(body: bytes) -> None:
    row, (only,) = read(body)
    assert (only.loc, only.line, only.recovered) == (E_ACUTE, 3, False)
    assert row.xml_error is None
    assert row.bytes == len(body)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig", "latin-1"])
def test_entries_are_recovered_in_any_encoding(encoding: str) -> None:
    broken = f"{E_ACUTE}?a=1&b=2"
    body = urlset(entry(E_ACUTE), entry(broken), entry(E_ACUTE))
    content = body.replace("UTF-8", "ISO-8859-1") if encoding == "latin-1" else body
    row, entries = read(content.encode(encoding))
    assert split_locs(entries) == ([E_ACUTE], [broken, E_ACUTE])
    assert (row.xml_error_line, row.xml_error_column) == (4, len(f"<url><loc>{E_ACUTE}?a=1&b") + 1)


def test_control_characters_are_replaced_in_any_encoding() -> None:
    body = urlset(entry(f"{E_ACUTE}\x01")).replace("UTF-8", "ISO-8859-1").encode("latin-1")
    _, (only,) = read(body)
    assert (only.loc, only.url) == (f"{E_ACUTE}\ufffd", None)


# Compression.

WHOLE = listing(A, B).encode()


@pytest.mark.parametrize(
    ("body", "headers", "layers"),
    [
        (WHOLE, {}, 0),
        (gzip.compress(WHOLE), {}, 1),
        (gzip.compress(gzip.compress(WHOLE)), {}, 2),
        (gzip.compress(WHOLE), {"content_encoding": "gzip"}, 0),
        (gzip.compress(gzip.compress(WHOLE)), {"content_encoding": "gzip"}, 1),
        (zlib.compress(WHOLE), {"content_encoding": "deflate"}, 0),
        (brotli.compress(WHOLE), {"content_encoding": "br"}, 0),
        (gzip.compress(WHOLE) + bytes(100), {}, 1),
        (gzip.compress(WHOLE[:99]) + gzip.compress(WHOLE[99:]), {}, 1),
    ],
)
@pytest.mark.parametrize("url", [SITEMAP, f"{SITEMAP}.gz"])
def test_compressed_files_are_read(
    body: bytes, headers: dict[str, Any], layers: int, url: str
) -> None:
    row, entries = read(body, url, **headers)
    assert locs(entries) == [A, B]
    assert (row.gzip_layers, row.gzip_error, row.bytes) == (layers, None, len(WHOLE))


def test_entries_before_a_wrong_checksum_are_kept() -> None:
    body = bytearray(gzip.compress(WHOLE))
    body[-8] ^= 1
    row, entries = read(bytes(body))
    assert split_locs(entries) == ([A, B], [])
    assert row.gzip_error == "incorrect data check"
    assert row.xml_error is None


def test_entries_of_truncated_gzip_data_are_kept() -> None:
    whole = listing(*(f"{A}{n * n}" for n in range(1_000))).encode()
    zipped = gzip.compress(whole)
    row, entries = read(zipped[: len(zipped) // 2])
    assert len(entries) > 100
    assert locs(entries) == [f"{A}{n * n}" for n in range(len(entries))]
    assert row.gzip_error == "the compressed data ends too early"


def test_a_false_gzip_encoding_is_reported_and_the_file_is_read() -> None:
    row, entries = read(f"{A}\n{B}", LIST, content_encoding="gzip")
    assert locs(entries) == [A, B]
    assert row.gzip_error == "Content-Encoding is gzip, but the bytes are not gzip"


# Limits.


def test_a_large_file_takes_little_memory_and_is_truncated_at_the_limit() -> None:
    grown = measure_growth(
        """body = compressed(entry(f'https://example.com/{n}') for n in range(200_001))
row = Sitemap(SITEMAP)""",
        """for n, one in enumerate(SitemapReader(Response(SITEMAP, 200, body=body), row)):
    assert one.loc == f'https://example.com/{n}'
assert (row.entries, row.xml_error, row.truncated) == (200_000, None, True)""",
    )
    assert grown < 10_000_000


def test_a_large_file_with_an_error_takes_little_memory() -> None:
    grown = measure_growth(
        """body = compressed(entry(f'&{n}' + 'a' * 500) for n in range(25_000))
row = Sitemap(SITEMAP)""",
        """for _ in SitemapReader(Response(SITEMAP, 200, body=body), row): pass
assert (row.entries, row.recovered_entries) == (25_000, 25_000)""",
    )
    assert grown < 10_000_000


def test_a_decompression_bomb_is_truncated_at_the_limit() -> None:
    start = urlset(entry(A)).removesuffix("</urlset>\n").encode()
    body = gzip.compress(start + entry(B).encode() * 100_000)
    assert len(body) < 25_000
    row, entries = read(body, limit=1_000_000)
    assert row.truncated
    assert row.bytes == 1_000_000
    assert locs(entries) == [A] + [B] * ((1_000_000 - len(start)) // len(entry(B)))


@pytest.mark.parametrize(("room", "truncated"), [(-1, True), (0, False), (1, False)])
def test_a_file_at_the_limit_is_not_truncated(room: int, truncated: bool) -> None:
    row, entries = read(WHOLE, limit=len(WHOLE) + room)
    assert row.truncated is truncated
    assert locs(entries) == [A, B]


def test_a_truncated_response_is_recorded() -> None:
    row = Sitemap(SITEMAP)
    response = Response(SITEMAP, 200, body=WHOLE[:-20], truncated=True)
    assert locs(list(SitemapReader(response, row))) == [A]
    assert row.truncated


def test_only_an_entry_that_is_too_long_is_lost() -> None:
    row, entries = read(urlset(entry(A), entry("b" * (MAX_ELEMENT + 200_000)), entry(C)))
    assert split_locs(entries) == ([A], [C])
    assert row.xml_error is not None
    assert row.xml_error.startswith("no entry ends within 4,194,304 bytes after this line: ")
    assert (row.xml_error_line, row.xml_error_column) == (3, None)


@pytest.mark.parametrize(
    "long",
    [
        f"<lastmod>{'x' * 3_000_000}</lastmod>",
        f"<b>{'x' * 3_000_000}</b>",
        f"<b c='{'x' * 3_000_000}'/>",
        f"<!-- {'x' * 3_000_000} -->",
        "<b/>" * 700_000,
    ],
)
def test_an_entry_of_several_megabytes_is_read(long: str) -> None:
    row, entries = read(urlset(entry(A), f"<url><loc>{B}</loc>{long}</url>", entry(C)))
    assert split_locs(entries) == ([A, B, C], [])
    assert row.xml_error is None


@pytest.mark.parametrize(
    "tag", ["<lastmod>{}</lastmod>", "<b c='{}'/>", "<loc>{}</loc>", "<!-- {} -->"]
)
def test_a_tag_of_ten_megabytes_is_an_error(tag: str) -> None:
    row, entries = read(urlset(entry(A), f"<url>{tag.format('x' * 10_000_001)}</url>", entry(C)))
    assert locs(entries)[0] == A
    assert locs(entries)[-1] == C
    assert row.xml_error is not None
    assert all(len(loc or "") < 99 for loc in locs(entries))


def test_deep_nesting_loses_only_its_entry() -> None:
    deep = "<b>" * 100_000 + B + "</b>" * 100_000
    row, entries = read(urlset(entry(A), entry(deep), entry(C)))
    assert split_locs(entries) == ([A], [None, C])
    assert row.xml_error is not None


# Text.

TEXTS = [
    # body, locs, lines
    (f"{A}\n{B}\n", [A, B], [1, 2]),
    (f"{A}\r\n{B}", [A, B], [1, 2]),
    (f"{A}\r{B}\r", [A, B], [1, 2]),
    (f"\n\n{A}\n \n\t\n{B}\n\n", [A, B], [3, 6]),
    (f"  {A} \n", [f"  {A} "], [1]),
    (f"{A}\n{A}\n{A}", [A, A, A], [1, 2, 3]),
    (
        f"# all\n{A}\n/b\n{B} {C}\nnot an address",
        ["# all", A, "/b", f"{B} {C}", "not an address"],
        None,
    ),
    (f"\ufeff{A}", [A], [1]),
    (f"{A}\n\ufeff{B}", [A, f"\ufeff{B}"], [1, 2]),
    (f"{A}\u2028{B}", [f"{A}\u2028{B}"], [1]),
    (f"{A}&amp;b", [f"{A}&amp;b"], [1]),
]


@pytest.mark.parametrize("url", [LIST, SITEMAP, "https://example.com/"])
@pytest.mark.parametrize(("body", "expected", "at"), TEXTS)
def test_text_files_are_read(
    body: str, expected: list[str], at: list[int] | None, url: str
) -> None:
    row, entries = read(body, url)
    assert (row.kind, row.detected_format, row.xml_error) == (Kind.TEXT, "text", None)
    assert locs(entries) == expected
    assert lines(entries) == (at or list(range(1, len(expected) + 1)))
    assert row.bytes == len(body.encode())


def test_urls_of_text_files_are_normalized() -> None:
    _, entries = read(f"{A} \n/b\nHTTPS://Example.com\nfile:///etc/passwd\n{B}#c")
    assert urls(entries) == [A, None, "https://example.com/", None, B]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_text_with_a_byte_order_mark_is_read(encoding: str) -> None:
    _, entries = read(f"{E_ACUTE}\r\n{A}".encode(encoding), LIST)
    assert locs(entries) == [E_ACUTE, A]


def test_invalid_utf8_in_text_is_replaced() -> None:
    _, entries = read(f"{E_ACUTE}\n{A}".encode("latin-1"), LIST)
    assert locs(entries) == ["https://example.com/\ufffd", A]
    assert urls(entries) == [None, A]


@pytest.mark.parametrize(
    ("length", "complete"), [(MAX_LINE - 1, True), (MAX_LINE, False), (MAX_LINE * 3, False)]
)
def test_an_endless_line_is_not_an_address(length: int, complete: bool) -> None:
    long = A.ljust(length, "a")
    _, (first, second) = read(f"{long}\n{B}", LIST)
    assert first.loc == (long if complete else long[:MAX_TEXT] + "…")
    assert list(first.truncated_columns) == ([] if complete else ["loc"])
    assert first.url == (long if complete else None)
    assert (second.loc, second.url, second.line) == (B, B, 2)


# Files that are not sitemaps.


@pytest.mark.parametrize(
    ("body", "detected"),
    [
        (b"", "empty"),
        (b" \n\t\r\n", "empty"),
        (codecs.BOM_UTF8, "empty"),
        (gzip.compress(b""), "empty"),
        (gzip.compress(b"\n"), "empty"),
        (b'{"urls": ["https://example.com/"]}', "prose"),
        (b'["https://example.com/"]', "prose"),
        (b"Not found", "prose"),
        (b"See https://example.com/", "prose"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\r", "binary"),
        (b"PK\x03\x04\x14\0", "zip"),
        (codecs.encode(WHOLE, "bz2"), "bz2"),
        (b"\xfd7zXZ\0\0", "xz"),
        (b"7z\xbc\xaf\x27\x1c\0", "7z"),
        (b"\x28\xb5\x2f\xfd\0", "zstd"),
        (b"a".ljust(257, b"\0") + b"ustar\x0000", "tar"),
        (gzip.compress(b"a".ljust(257, b"\0") + b"ustar\x0000"), "tar"),
        (b"<a><url><loc>https://example.com/</loc></url></a>", "xml"),
    ],
)
def test_other_formats_have_no_entries(body: bytes, detected: str) -> None:
    row, entries = read(body)
    assert entries == []
    assert (row.kind, row.detected_format) == (Kind.UNKNOWN, detected)
    assert row.bytes is not None
    assert not contains_sitemap(Response(SITEMAP, 200, body=body))


@pytest.mark.parametrize(
    "body",
    ["<!doctype html><p>404", "<HTML>", "\n<!-- a -->\n<html>", f"<title>a</title>\n{A}\n{B}"],
)
@pytest.mark.parametrize("url", [SITEMAP, LIST])
def test_html_has_no_entries(body: str, url: str) -> None:
    row, entries = read(body, url)
    assert entries == []
    assert (row.kind, row.detected_format, row.bytes) == (Kind.HTML, "html", len(body.encode()))
    assert not contains_sitemap(Response(url, 200, body=body.encode()))


@pytest.mark.parametrize("name", ["list.txt", "list.txt.gz"])
def test_prose_in_a_txt_file_is_a_text_sitemap(name: str) -> None:
    row, entries = read("example.com/a\n/b", f"https://example.com/{name}?c")
    assert (row.kind, row.detected_format) == (Kind.TEXT, "prose")
    assert locs(entries) == ["example.com/a", "/b"]
    assert urls(entries) == [None, None]


@pytest.mark.parametrize("body", ['{"a": 1}', "\n[1]", "\x89PNG\r\n\x1a\n\0"])
def test_json_and_binary_data_are_not_a_text_sitemap(body: str) -> None:
    row, entries = read(body.encode("latin-1"), LIST)
    assert (row.kind, entries) == (Kind.UNKNOWN, [])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (urlset(), True),
        (f"{A}\n", True),
        ("<rss/>", True),
        ("<feed/>", True),
        ("a\nb", False),
        (f"a\n{A}", False),
    ],
)
def test_which_responses_hold_a_sitemap(body: str, expected: bool) -> None:
    assert contains_sitemap(Response(LIST, 200, body=body.encode())) is expected


def test_an_error_response_holds_no_sitemap() -> None:
    assert not contains_sitemap(Response(SITEMAP, 404, body=WHOLE))
