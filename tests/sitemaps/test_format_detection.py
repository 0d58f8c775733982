"""The format of a file, detected from its first bytes."""

import codecs
import io
import tarfile
import zipfile

import pytest

from sitemapaudit.sitemaps.format_detection import HEAD, FileFormat, sniff
from sitemapaudit.sitemaps.leading_content import MAX_LEADING, find_root_behind_text
from tests.sitemaps.files import listing
from tests.support.effort import cpu_limit

URLSET = listing("https://example.com/")

FORMATS = [
    # Nothing.
    (b"", FileFormat.EMPTY),
    (b" \t\r\n", FileFormat.EMPTY),
    (codecs.BOM_UTF8, FileFormat.EMPTY),
    (codecs.BOM_UTF8 + b"\n", FileFormat.EMPTY),
    (codecs.BOM_UTF16_LE, FileFormat.EMPTY),
    # XML.
    (b"<urlset/>", FileFormat.XML),
    (b"<?xml version='1.0'?><urlset/>", FileFormat.XML),
    (b"\n \t<urlset/>", FileFormat.XML),
    (b"<!-- made by hand --><urlset/>", FileFormat.XML),
    (b"<!DOCTYPE urlset><urlset/>", FileFormat.XML),
    (b"<rss version='2.0'/>", FileFormat.XML),
    (b"<x:urlset/>", FileFormat.XML),
    (b"<_/>", FileFormat.XML),
    (b"<headline/>", FileFormat.XML),
    (b"<metadata/>", FileFormat.XML),
    (b"<titles/>", FileFormat.XML),
    (b"<!doctype htmlish><htmlish/>", FileFormat.XML),
    (b"Warning: no\n<?xml version='1.0'?><urlset/>", FileFormat.XML),
    (b"\xe9\xff<?xml version='1.0'?><urlset/>", FileFormat.XML),
    (codecs.BOM_UTF8 + URLSET.encode(), FileFormat.XML),
    (URLSET.encode("utf-16"), FileFormat.XML),
    (URLSET.encode("utf-16-le"), FileFormat.XML),
    (URLSET.encode("utf-16-be"), FileFormat.XML),
    (codecs.BOM_UTF16_BE + "<urlset/>".encode("utf-16-be"), FileFormat.XML),
    # HTML.
    (b"<!DOCTYPE html><html>", FileFormat.HTML),
    (b"<!doctype HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'>", FileFormat.HTML),
    (b"\r\n\t <HTML lang='en'>", FileFormat.HTML),
    (b"<html><head></head>", FileFormat.HTML),
    (b"<head><title>", FileFormat.HTML),
    (b"<title>Not found</title>", FileFormat.HTML),
    (b"<body onload='x'>", FileFormat.HTML),
    (b"<meta charset=utf-8>", FileFormat.HTML),
    (b"<script>location='/'</script>", FileFormat.HTML),
    (b"<h1>404</h1>", FileFormat.HTML),
    (b"<center><h1>502", FileFormat.HTML),
    (b"<!-- cached -->\n<!-- twice --><!doctype html>", FileFormat.HTML),
    (b"<!-- > -- > <urlset> -->\n<html>", FileFormat.HTML),
    (codecs.BOM_UTF8 + b"<html>", FileFormat.HTML),
    ("<html>".encode("utf-16"), FileFormat.HTML),
    # Lists of addresses.
    (b"https://example.com/", FileFormat.TEXT),
    (b"HTTP://example.com/\n", FileFormat.TEXT),
    (b"\n\n  http://example.com/", FileFormat.TEXT),
    (b"# all pages\nhttps://example.com/", FileFormat.TEXT),
    (b"url\r\nhttps://example.com/\r\n", FileFormat.TEXT),
    (codecs.BOM_UTF8 + b"https://example.com/", FileFormat.TEXT),
    ("https://example.com/".encode("utf-16"), FileFormat.TEXT),
    (b"\xff\xc0\nhttps://example.com/", FileFormat.TEXT),
    # Other text, and binary data.
    (b"example.com/a\nexample.com/b", FileFormat.PROSE),
    (b"See https://example.com/", FileFormat.PROSE),
    (b'{"url": "https://example.com/"}', FileFormat.PROSE),
    (b"Not found", FileFormat.PROSE),
    (b"1 < 2", FileFormat.PROSE),
    (b"< urlset>", FileFormat.PROSE),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", FileFormat.BINARY),
    (b"%PDF-1.7\n\x00\x01", FileFormat.BINARY),
    (b"\0" * 99, FileFormat.BINARY),
    (b"<\0u\0", FileFormat.BINARY),
]


def make_zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("sitemap.xml", URLSET)
    return file.getvalue()


def make_tar(variant: int) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=variant) as archive:
        archive.addfile(tarfile.TarInfo("sitemap.xml"))
    return file.getvalue()


def make_empty_zip() -> bytes:
    file = io.BytesIO()
    zipfile.ZipFile(file, "w").close()
    return file.getvalue()


ARCHIVES = [
    (make_zip(), "zip"),
    (make_empty_zip(), "zip"),
    (codecs.encode(URLSET.encode(), "bz2"), "bz2"),
    (b"\xfd7zXZ\0\0\x04", "xz"),
    (b"7z\xbc\xaf\x27\x1c\0\x04", "7z"),
    (b"\x28\xb5\x2f\xfd\x04", "zstd"),
    (make_tar(tarfile.USTAR_FORMAT), "tar"),
    (make_tar(tarfile.GNU_FORMAT), "tar"),
    (make_tar(tarfile.PAX_FORMAT), "tar"),
]


@pytest.mark.parametrize(("head", "expected"), FORMATS)
def test_formats(head: bytes, expected: FileFormat) -> None:
    sniffed = sniff(head)
    assert sniffed.format is expected
    assert sniffed.archive is None


@pytest.mark.parametrize(("head", "name"), ARCHIVES)
def test_archives(head: bytes, name: str) -> None:
    sniffed = sniff(head)
    assert sniffed.format is FileFormat.ARCHIVE
    assert sniffed.archive == name


def test_ustar_within_a_word_is_not_an_archive() -> None:
    listed = b"https://example.com/".ljust(256, b"a") + b"mustard\nhttps://example.com/b"
    assert listed[257:].startswith(b"ustar")
    assert sniff(listed).format is FileFormat.TEXT


LEADING = [
    # content before the declaration, characters, line breaks
    (b"", 0, 0),
    (b" ", 1, 0),
    (b"\r\n\n", 3, 2),
    (b"<br />\n<b>Notice</b>: x\n", 24, 2),
    (b"\xef\xbb\xbf", 0, 0),
    (b"\xef\xbb\xbf\n", 1, 1),
    (b"\n\xef\xbb\xbf", 2, 1),
    (b"\xef\xbb\xbf\xef\xbb\xbf", 1, 0),
    ("é\n".encode(), 2, 1),
    (b"\xe9\n", 2, 1),
    (b"\xff\xc0\x80\n\xe9", 5, 1),
    (b"<!-- closed -->", 15, 0),
]


@pytest.mark.parametrize(("before", "leading_chars", "lines"), LEADING)
def test_content_before_the_declaration(before: bytes, leading_chars: int, lines: int) -> None:
    sniffed = sniff(before + b"<?xml version='1.0'?>\n<urlset/>")
    assert sniffed.format is FileFormat.XML
    assert (sniffed.leading_chars, sniffed.lines, sniffed.start) == (
        leading_chars,
        lines,
        len(before),
    )


def test_how_late_xml_may_begin() -> None:
    """White space may be long; other content is limited."""
    declared = b"<?xml version='1.0'?>\n<urlset/>"
    spaces = sniff(b" " * (MAX_LEADING + 1) + declared)
    assert (spaces.format, spaces.leading_chars) == (FileFormat.XML, MAX_LEADING + 1)
    assert sniff(b"x" * MAX_LEADING + declared).format is FileFormat.PROSE
    assert sniff(b"Notice: x\n<urlset xmlns=''>").format is FileFormat.XML


@pytest.mark.parametrize("scheme", ["http", "HTTPS"])
def test_an_address_can_contain_the_name_of_a_root(scheme: str) -> None:
    assert find_root_behind_text(f"a\n {scheme}://example.com/<urlset>") is None
    assert find_root_behind_text("a\n example.com/<urlset>") == 15


@pytest.mark.parametrize(
    ("before", "is_behind"),
    [
        ("Notice: ", True),
        ("<b>Notice</b><br>: <img src=a> <hr/>", True),
        ("<b><i>Notice</b>: ", True),
        ("a <code>", False),
        ("a <b>c</b><code lang=xml>\n", False),
    ],
)
def test_an_open_element_can_contain_the_name_of_a_root(before: str, is_behind: bool) -> None:
    for rest in ("<urlset>", "<urlset>\n<url>", "<s:feed a='b'>"):
        assert (find_root_behind_text(before + rest) == len(before)) is is_behind


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_content_before_the_declaration_in_utf16(encoding: str) -> None:
    bom = codecs.BOM_UTF16_LE if encoding == "utf-16-le" else codecs.BOM_UTF16_BE
    before = bom + "é\n".encode(encoding)
    sniffed = sniff(before + "<?xml version='1.0'?><urlset/>".encode(encoding))
    assert (sniffed.leading_chars, sniffed.lines, sniffed.start) == (2, 1, len(before))


@pytest.mark.parametrize(
    "head",
    [
        b"<urlset><!-- <?xml version='1.0'?> --><url/></urlset>",
        b"<urlset><url><![CDATA[<?xml version='1.0'?>]]></url></urlset>",
        b"<?xml-stylesheet href='a'?><urlset/>",
    ],
)
def test_other_declarations_do_not_count(head: bytes) -> None:
    assert sniff(head).leading_chars == 0
    assert sniff(b"\n" + head).start == 1


@pytest.mark.parametrize(
    ("before", "column"),
    [("", 0), ("  ", 2), ("\n", 0), ("\n ", 1), ("junk", 4), ("a\né é", 3), ("\ufeff ", 1)],
)
def test_the_column_where_the_content_starts(before: str, column: int) -> None:
    assert sniff(f"{before}<?xml version='1.0'?><urlset/>".encode()).column == column


DOCTYPES = [
    ("<urlset/>", False),
    ("<?xml version='1.0'?><urlset/>", False),
    ("<!DOCTYPE urlset><urlset/>", True),
    ("<?xml version='1.0'?>\n<!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset/>", True),
    ("<?xml version='1.0'?><!ENTITY a 'b'><urlset/>", True),
    ("<!-- a --> <!-- > <b> --><?c <d> ?>\n<!DOCTYPE urlset><urlset/>", True),
    ("\n junk <?xml version='1.0'?><!DOCTYPE urlset><urlset/>", True),
    # Not at its place.
    ("<!-- <!DOCTYPE urlset> --><urlset/>", False),
    ("<?a <!DOCTYPE urlset> ?><urlset/>", False),
    ("<urlset><!DOCTYPE urlset></urlset>", False),
    ("<urlset><![CDATA[<!DOCTYPE urlset>]]></urlset>", False),
    ("<!doctype urlset><urlset/>", False),
    ("<!DOCTYPES urlset><urlset/>", False),
]


@pytest.mark.parametrize(("text", "expected"), DOCTYPES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_doctypes_are_detected(text: str, expected: bool, encoding: str) -> None:
    assert sniff(text.encode(encoding)).doctype is expected


ENCODINGS = [
    # head, detected, declared
    (b"<urlset/>", None, None),
    (b"<?xml version='1.0' encoding='utf-8'?><a/>", None, "utf-8"),
    (b'<?xml version="1.0"\n encoding = "ISO-8859-1" ?><a/>', None, "ISO-8859-1"),
    (b"\n<?xml version='1.0' encoding='latin1'?><a/>", None, "latin1"),
    (codecs.BOM_UTF8 + b"<a/>", "UTF-8", None),
    (codecs.BOM_UTF8 + b"<?xml version='1.0' encoding='latin1'?><a/>", "UTF-8", "latin1"),
    ("<?xml version='1.0' encoding='UTF-16'?><a/>".encode("utf-16-le"), "UTF-16LE", "UTF-16"),
    ("<?xml version='1.0'?><a/>".encode("utf-16-be"), "UTF-16BE", None),
    ("<?xml version='1.0' encoding='utf-8é'?><a/>".encode(), None, None),
    # A declared UTF-16 or UTF-32 is false if the bytes are ASCII.
    (b"<?xml version='1.0' encoding='UTF-16'?><a/>", "UTF-8", "UTF-16"),
    (b"<?xml version='1.0' encoding='utf-32le'?><a/>", "UTF-8", "utf-32le"),
]


@pytest.mark.parametrize(("head", "detected", "declared"), ENCODINGS)
def test_encodings_are_detected(head: bytes, detected: str | None, declared: str | None) -> None:
    sniffed = sniff(head)
    assert (sniffed.encoding, sniffed.declared) == (detected, declared)


@pytest.mark.parametrize(
    "head",
    [
        b"<!-- a -->" * 6_000 + b"<urlset/>",
        b"<!--" * 16_000,
        b"x" + b"\n" * 65_000,
        b" " * 65_000 + b"x",
        b"\n <!" * 16_000,
        b"<?xml " * 10_000,
        b"<![" * 20_000,
        b"<a/>" + b"<!--" * 16_000,
        b"<?xml?>" + b"<?a" * 16_000,
        b"<?xml?>" + b"<?a?> <!-- -->" * 4_000,
    ],
)
def test_no_head_takes_long(head: bytes) -> None:
    assert len(head) <= HEAD
    with cpu_limit(0.5):
        sniff(head)
