"""Any file is read to its end; its entries are as written, in order, and fit the ledger.

The size of the chunks does not matter.
"""

from unittest.mock import patch

from sitemapaudit.caps import fit
from sitemapaudit.http import decoding
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entries, Entry, Sitemap
from sitemapaudit.sitemaps.sitemap_reader import SitemapReader
from sitemapaudit.urls import normalize
from tests.fuzzing.message import parse_message
from tests.fuzzing.rows import check_rules, round_trip

WORDS = (
    b"content-type: text/xml; charset=utf-8\n", b"content-encoding: gzip\n", b"deflate", b"br",
    b"<?xml version='1.0' encoding='utf-16'?>", b"<!DOCTYPE urlset [<!ENTITY a 'b'>]>", b"&a;",
    b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>", b"<url>", b"</url>", b"<loc>",
    b"</loc>", b"<lastmod>", b"<priority>", b"<changefreq>", b"</urlset>", b"<sitemapindex>",
    b"<sitemap>", b"</sitemap>", b"<rss version='2.0'><channel>", b"<item>", b"</item>", b"<link>",
    b"<pubDate>", b"<feed xmlns='http://www.w3.org/2005/Atom'>", b"<entry>", b"<link href='",
    b"<updated>", b"xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'",
    b"<image:image><image:loc>", b"xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'",
    b"<video:video><video:duration>", b"xmlns:xhtml='http://www.w3.org/1999/xhtml'",
    b"<xhtml:link rel='alternate' hreflang='de' href='", b"<![CDATA[", b"]]>", b"<!--", b"-->",
    b"<?", b"?>", b"&amp;", b"&#55296;", b"https://example.com/", b"\xff\xfe", b"\xef\xbb\xbf",
    b"\x1f\x8b\x08\0\0\0\0\0\0\xff", b"PK\x03\x04", b"<html>", b"2026-11-21T12:00:00+01:00",
)  # fmt: skip

_LIMIT = 100_000
_URLS = ("https://www.example.com/sitemap.xml", "https://www.example.com/list.txt.gz")


def check(data: bytes) -> None:
    """Read a file under both names."""
    for url in _URLS:
        response = parse_message(data, url)
        row, entries = _read(response)
        _check_entries(row, entries)
        if 200 <= (response.status or 0) < 300:
            assert row.detected_format is not None
            assert row.bytes is not None
            assert row.bytes <= _LIMIT
        assert row.xml_error is None or row.xml_error_line is not None
        round_trip(row)
        row.complete = True
        with patch.object(decoding, "CHUNK", 7):
            assert _read(response)[1] == entries
        check_rules(row, Entries(url, entries))


def _read(response: Response) -> tuple[Sitemap, list[Entry]]:
    row = Sitemap(response.url)
    return row, list(SitemapReader(response, row, limit=_LIMIT))


def _check_entries(row: Sitemap, entries: list[Entry]) -> None:
    assert row.entries == len(entries)
    assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
    assert row.recovered_entries == sum(entry.recovered for entry in entries)
    lines = [entry.line or 0 for entry in entries]
    assert lines == sorted(lines)
    assert all(lines)
    for entry in entries:
        assert entry.kind is row.kind
        assert entry.url is None or entry.url == normalize(entry.url)
        assert fit(round_trip(entry)) == entry
