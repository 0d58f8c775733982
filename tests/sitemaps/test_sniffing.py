"""sniffing: what a file is, told by its first bytes."""

import codecs
import io
import tarfile
import time
import zipfile

import pytest

from sitemapaudit.sitemaps.sniffing import HEAD, Form, sniff
from tests.sitemaps.files import listing

URLSET = listing("https://example.com/")

FORMS = [
    # Nothing.
    (b"", Form.EMPTY),
    (b" \t\r\n", Form.EMPTY),
    (codecs.BOM_UTF8, Form.EMPTY),
    (codecs.BOM_UTF8 + b"\n", Form.EMPTY),
    (codecs.BOM_UTF16_LE, Form.EMPTY),
    # XML.
    (b"<urlset/>", Form.XML),
    (b"<?xml version='1.0'?><urlset/>", Form.XML),
    (b"\n \t<urlset/>", Form.XML),
    (b"<!-- made by hand --><urlset/>", Form.XML),
    (b"<!DOCTYPE urlset><urlset/>", Form.XML),
    (b"<rss version='2.0'/>", Form.XML),
    (b"<x:urlset/>", Form.XML),
    (b"<_/>", Form.XML),
    (b"<headline/>", Form.XML),
    (b"<metadata/>", Form.XML),
    (b"<titles/>", Form.XML),
    (b"<!doctype htmlish><htmlish/>", Form.XML),
    (b"Warning: no\n<?xml version='1.0'?><urlset/>", Form.XML),
    (b"\xe9\xff<?xml version='1.0'?><urlset/>", Form.XML),
    (codecs.BOM_UTF8 + URLSET.encode(), Form.XML),
    (URLSET.encode("utf-16"), Form.XML),
    (URLSET.encode("utf-16-le"), Form.XML),
    (URLSET.encode("utf-16-be"), Form.XML),
    (codecs.BOM_UTF16_BE + "<urlset/>".encode("utf-16-be"), Form.XML),
    # HTML, in its many forms.
    (b"<!DOCTYPE html><html>", Form.HTML),
    (b"<!doctype HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'>", Form.HTML),
    (b"\r\n\t <HTML lang='en'>", Form.HTML),
    (b"<html><head></head>", Form.HTML),
    (b"<head><title>", Form.HTML),
    (b"<title>Not found</title>", Form.HTML),
    (b"<body onload='x'>", Form.HTML),
    (b"<meta charset=utf-8>", Form.HTML),
    (b"<script>location='/'</script>", Form.HTML),
    (b"<h1>404</h1>", Form.HTML),
    (b"<center><h1>502", Form.HTML),
    (b"<!-- cached -->\n<!-- twice --><!doctype html>", Form.HTML),
    (b"<!-- > -- > <urlset> -->\n<html>", Form.HTML),
    (codecs.BOM_UTF8 + b"<html>", Form.HTML),
    ("<html>".encode("utf-16"), Form.HTML),
    # Lists of addresses.
    (b"https://example.com/", Form.TEXT),
    (b"HTTP://example.com/\n", Form.TEXT),
    (b"\n\n  http://example.com/", Form.TEXT),
    (b"# all pages\nhttps://example.com/", Form.TEXT),
    (b"url\r\nhttps://example.com/\r\n", Form.TEXT),
    (codecs.BOM_UTF8 + b"https://example.com/", Form.TEXT),
    ("https://example.com/".encode("utf-16"), Form.TEXT),
    (b"\xff\xc0\nhttps://example.com/", Form.TEXT),
    # Neither.
    (b"example.com/a\nexample.com/b", Form.PROSE),
    (b"See https://example.com/", Form.PROSE),
    (b'{"url": "https://example.com/"}', Form.PROSE),
    (b"Not found", Form.PROSE),
    (b"1 < 2", Form.PROSE),
    (b"< urlset>", Form.PROSE),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Form.BINARY),
    (b"%PDF-1.7\n\x00\x01", Form.BINARY),
    (b"\0" * 99, Form.BINARY),
    (b"<\0u\0", Form.BINARY),
]


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("sitemap.xml", URLSET)
    return file.getvalue()


def tarred(form: int) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        archive.addfile(tarfile.TarInfo("sitemap.xml"))
    return file.getvalue()


def empty_zip() -> bytes:
    file = io.BytesIO()
    zipfile.ZipFile(file, "w").close()
    return file.getvalue()


ARCHIVES = [
    (zipped(), "zip"),
    (empty_zip(), "zip"),
    (codecs.encode(URLSET.encode(), "bz2"), "bz2"),
    (b"\xfd7zXZ\0\0\x04", "xz"),
    (b"7z\xbc\xaf\x27\x1c\0\x04", "7z"),
    (b"\x28\xb5\x2f\xfd\x04", "zstd"),
    (tarred(tarfile.USTAR_FORMAT), "tar"),
    (tarred(tarfile.GNU_FORMAT), "tar"),
    (tarred(tarfile.PAX_FORMAT), "tar"),
]


@pytest.mark.parametrize(("head", "expected"), FORMS)
def test_form(head: bytes, expected: Form) -> None:
    sniffed = sniff(head)
    assert sniffed.form is expected
    assert sniffed.archive is None


@pytest.mark.parametrize(("head", "name"), ARCHIVES)
def test_archive(head: bytes, name: str) -> None:
    sniffed = sniff(head)
    assert sniffed.form is Form.ARCHIVE
    assert sniffed.archive == name


def test_a_mustard_is_no_archive() -> None:
    listed = b"https://example.com/".ljust(256, b"a") + b"mustard\nhttps://example.com/b"
    assert listed[257:].startswith(b"ustar")
    assert sniff(listed).form is Form.TEXT


LEADING = [
    # before, characters, line breaks
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


@pytest.mark.parametrize(("before", "leading", "lines"), LEADING)
def test_what_stands_before_the_declaration(before: bytes, leading: int, lines: int) -> None:
    sniffed = sniff(before + b"<?xml version='1.0'?>\n<urlset/>")
    assert sniffed.form is Form.XML
    assert (sniffed.leading, sniffed.lines, sniffed.start) == (leading, lines, len(before))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_what_stands_before_the_declaration_of_utf16(encoding: str) -> None:
    bom = codecs.BOM_UTF16_LE if encoding == "utf-16-le" else codecs.BOM_UTF16_BE
    before = bom + "é\n".encode(encoding)
    sniffed = sniff(before + "<?xml version='1.0'?><urlset/>".encode(encoding))
    assert (sniffed.leading, sniffed.lines, sniffed.start) == (2, 1, len(before))


@pytest.mark.parametrize(
    "head",
    [
        b"<urlset><!-- <?xml version='1.0'?> --><url/></urlset>",
        b"<urlset><url><![CDATA[<?xml version='1.0'?>]]></url></urlset>",
        b"<?xml-stylesheet href='a'?><urlset/>",
    ],
)
def test_a_declaration_that_is_none(head: bytes) -> None:
    assert sniff(head).leading == 0
    assert sniff(b"\n" + head).start == 1


@pytest.mark.parametrize(
    ("before", "column"),
    [("", 0), ("  ", 2), ("\n", 0), ("\n ", 1), ("junk", 4), ("a\né é", 3), ("\ufeff ", 1)],
)
def test_the_column_where_the_file_begins(before: str, column: int) -> None:
    assert sniff(f"{before}<?xml version='1.0'?><urlset/>".encode()).column == column


DOCTYPES = [
    ("<urlset/>", False),
    ("<?xml version='1.0'?><urlset/>", False),
    ("<!DOCTYPE urlset><urlset/>", True),
    ("<?xml version='1.0'?>\n<!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset/>", True),
    ("<?xml version='1.0'?><!ENTITY a 'b'><urlset/>", True),
    ("<!-- a --> <!-- > <b> --><?c <d> ?>\n<!DOCTYPE urlset><urlset/>", True),
    ("\n junk <?xml version='1.0'?><!DOCTYPE urlset><urlset/>", True),
    # Elsewhere it is none.
    ("<!-- <!DOCTYPE urlset> --><urlset/>", False),
    ("<?a <!DOCTYPE urlset> ?><urlset/>", False),
    ("<urlset><!DOCTYPE urlset></urlset>", False),
    ("<urlset><![CDATA[<!DOCTYPE urlset>]]></urlset>", False),
    ("<!doctype urlset><urlset/>", False),
    ("<!DOCTYPES urlset><urlset/>", False),
]


@pytest.mark.parametrize(("text", "expected"), DOCTYPES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_doctype(text: str, expected: bool, encoding: str) -> None:
    assert sniff(text.encode(encoding)).doctype is expected


ENCODINGS = [
    # head, told by the bytes, declared
    (b"<urlset/>", None, None),
    (b"<?xml version='1.0' encoding='utf-8'?><a/>", None, "utf-8"),
    (b'<?xml version="1.0"\n encoding = "ISO-8859-1" ?><a/>', None, "ISO-8859-1"),
    (b"\n<?xml version='1.0' encoding='latin1'?><a/>", None, "latin1"),
    (codecs.BOM_UTF8 + b"<a/>", "UTF-8", None),
    (codecs.BOM_UTF8 + b"<?xml version='1.0' encoding='latin1'?><a/>", "UTF-8", "latin1"),
    ("<?xml version='1.0' encoding='UTF-16'?><a/>".encode("utf-16-le"), "UTF-16LE", "UTF-16"),
    ("<?xml version='1.0'?><a/>".encode("utf-16-be"), "UTF-16BE", None),
    # A wide encoding over narrow bytes is a false claim.
    (b"<?xml version='1.0' encoding='UTF-16'?><a/>", "UTF-8", "UTF-16"),
    (b"<?xml version='1.0' encoding='utf-32le'?><a/>", "UTF-8", "utf-32le"),
]


@pytest.mark.parametrize(("head", "told", "declared"), ENCODINGS)
def test_encoding(head: bytes, told: str | None, declared: str | None) -> None:
    sniffed = sniff(head)
    assert (sniffed.encoding, sniffed.declared) == (told, declared)


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
    begun = time.perf_counter()
    sniff(head)
    assert time.perf_counter() - begun < 0.5
