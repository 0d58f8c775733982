"""A plain urlset is read like any other file, only faster.

A comment before the first entry makes the same file one for the parser: both must find the same.
"""

import random
from dataclasses import asdict
from typing import Any

import pytest

from sitemapaudit.items import Entry, Sitemap
from sitemapaudit.sitemaps.plain_urlset import PlainUrlset
from tests.sitemaps.files import DECLARATION, NAMESPACE, entry, read, urlset

START = f'<urlset xmlns="{NAMESPACE}">'
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
COMMENT = "<!---->"

PLAIN_LOCS = [
    "https://example.com/",
    "https://example.com/a/b.html?c=d",
    "https://example.com/a?b=c&amp;d=e&amp;amp;f",
    "https://EXAMPLE.com:443/a/../b/./c%2f%7E",
    "http://www.example.com/a#b",
    "https://münchen.example/".encode("idna").decode(),
    "relative/path",
    "http://0x7f.1/a",
    "https://example.com/a'b\"c(d)e;f",
    "https://example.com//a/..b/.c",
    "-",
]
OTHER_LOCS = [
    "",
    " https://example.com/a ",
    "https://example.com/ä",
    "https://example.com/a&b",
    "https://example.com/&#97;",
    "https://example.com/&lt;",
    "<![CDATA[https://example.com/a]]>",
    "https://example.com/a>b",
    "https://example.com/a]]>b",
    "https://example.com/a<!-- c -->b",
    f"https://example.com/{'a' * 3_000}",
    f"https://example.com/{'a' * 9_000}",
    "https://example.com/a\x01",
    "https://example.com/<b/>",
]
PLAIN_FIELDS = [
    "",
    "<lastmod>2026-01-02</lastmod>",
    "<lastmod>2026-02-30</lastmod>",
    "<lastmod>2026-01-02T03:04:05.678+09:00</lastmod>\n",
    "<lastmod>2026</lastmod> <changefreq>daily</changefreq>",
    "<changefreq>Sometimes</changefreq>\t<priority>0.5</priority>",
    "<priority>7</priority>",
]
OTHER_FIELDS = [
    "<lastmod/>",
    "<lastmod></lastmod>",
    "<lastmod> 2026-01-02 </lastmod>",
    "<lastmod>yesterday</lastmod>",
    "<lastmod a='b'>2026-01-02</lastmod>",
    "<priority>0.5</priority><lastmod>2026-01-02</lastmod>",
    "<lastmod>2026-01-02</lastmod><lastmod>2026-01-03</lastmod>",
    "<loc>https://example.com/second</loc>",
    "text",
    "<other/>",
    "<!-- comment -->",
    "<?target?>",
    f"<image:image xmlns:image='{IMAGE}'><image:loc>https://example.com/i</image:loc></image:image>",
]
OTHER_CHILDREN = [
    "<url/>",
    "<url></url>",
    "<url><lastmod>2026-01-02</lastmod><loc>https://example.com/late</loc></url>",
    "<sitemap><loc>https://example.com/s.xml</loc></sitemap>",
    "<other>text</other>",
    "<!-- <url><loc>https://example.com/hidden</loc></url> -->",
    "text",
    "</urlset>",
    "<url>",
    "</url>",
    "<url ><loc>https://example.com/space</loc></url >",
    "\r",
    "ä",
]


def read_both(body: str) -> list[tuple[list[Entry], dict[str, Any]]]:
    """Read a file, and the same file with a comment before its first entry."""
    outcomes = []
    for text in (body, body.replace(START, START + COMMENT, 1)):
        assert text is body or text != body
        row, entries = read(text)
        outcomes.append((entries, _comparable(row, text)))
    return outcomes


def _comparable(row: Sitemap, text: str) -> dict[str, Any]:
    """Return what does not depend on the length of the file."""
    values = asdict(row)
    assert values.pop("bytes") == len(text.encode())
    if row.xml_error_line == text[: text.find(START)].count("\n") + 1:
        values.pop("xml_error_column")
    return values


def random_file(random_source: random.Random, *, plain: float) -> str:
    """Return a file in which so large a share of the parts is plain."""

    def choose(usual: list[str], other: list[str]) -> str:
        return random_source.choice(usual if random_source.random() < plain else other)

    end_of_line = random_source.choice(["", "\n", "\r\n", "\n  "])
    children = [
        choose([""], OTHER_CHILDREN)
        + f"<url>{end_of_line}<loc>{choose(PLAIN_LOCS, OTHER_LOCS)}</loc>{end_of_line}"
        + f"{choose(PLAIN_FIELDS, OTHER_FIELDS)}{end_of_line}</url>{end_of_line}"
        for _ in range(random_source.choice([0, 1, 2, 5, 40, 1_200]))
    ]
    prolog = choose(
        ["", DECLARATION, f"{DECLARATION}\n\n"], ["\ufeff", "<!-- c -->", "<!DOCTYPE urlset>"]
    )
    end = choose(["</urlset>", "</urlset>\n"], ["", "</url", "</urlset>x", "</urlset><!-- c -->"])
    return f"{prolog}{START}{end_of_line}{''.join(children)}{end}"


@pytest.mark.parametrize("plain", [1.0, 0.999, 0.99, 0.8])
@pytest.mark.parametrize("seed", range(40))
def test_a_file_is_read_as_the_parser_reads_it(seed: int, plain: float) -> None:
    (found, row), (expected, expected_row) = read_both(
        random_file(random.Random(f"{seed} {plain}"), plain=plain)
    )
    assert found == expected
    assert row == expected_row


@pytest.mark.parametrize("field", [*PLAIN_FIELDS, *OTHER_FIELDS])
@pytest.mark.parametrize("loc", [*PLAIN_LOCS, *OTHER_LOCS])
def test_each_loc_with_each_field(loc: str, field: str) -> None:
    both = f"<url><loc>{loc}</loc>{field}</url>"
    (found, row), (expected, expected_row) = read_both(
        f"{DECLARATION}{START}{entry('https://example.com/before')}{both}"
        f"{entry('https://example.com/after')}</urlset>"
    )
    assert found == expected
    assert row == expected_row


@pytest.mark.parametrize("size", [1, 2, 3, 17, 65_536])
def test_chunks_can_end_anywhere(size: int) -> None:
    body = urlset(*(f"\r\n<url>\r\n <loc>https://example.com/{n}</loc></url>" for n in range(50)))
    data = body.encode()
    chunks = (data[start : start + size] for start in range(0, len(data), size))
    plain = PlainUrlset(chunks, "https://example.com/sitemap.xml", 0)
    found = [found for batch in plain for found in batch]
    assert found == read(body)[1]
    assert plain.complete
    assert plain.read == 50


@pytest.mark.parametrize("loc", PLAIN_LOCS)
def test_usual_entries_are_plain(loc: str) -> None:
    entries = (f"<url><loc>{loc}</loc>{field}</url>" for field in PLAIN_FIELDS)
    plain = PlainUrlset([f"{START}{''.join(entries)}</urlset>".encode()], "s", 0)
    assert len([found for batch in plain for found in batch]) == len(PLAIN_FIELDS)
    assert plain.complete


@pytest.mark.parametrize("rest", [entry("https://example.com/ä"), "\rx", f"<!--{'x' * 2_500}"])
def test_entries_before_others_are_kept(rest: str) -> None:
    first = f"{START}{entry('https://example.com/a')}"
    plain = PlainUrlset([first.encode(), rest.encode()], "s", 0)
    assert [found.loc for batch in plain for found in batch] == ["https://example.com/a"]
    assert (plain.read, plain.complete) == (1, False)


@pytest.mark.parametrize(
    "start",
    [
        START,
        f"{DECLARATION}<?xml-stylesheet href='s.xsl'?>\n{START}",
        f'<urlset\n xmlns="{NAMESPACE}"\n xmlns:image="http://example.com/image"\n>\n',
        "<urlset>",
    ],
)
def test_usual_starts_are_plain(start: str) -> None:
    plain = PlainUrlset([f"{start}{entry('https://example.com/')}</urlset>".encode()], "s", 0)
    assert [found.loc for batch in plain for found in batch] == ["https://example.com/"]
    assert plain.complete


@pytest.mark.parametrize(
    "start",
    [
        f"<!DOCTYPE urlset>{START}",
        f"<!DOCTYPE urlset [<!ENTITY a 'b'>]>{START}",
        f"<!-- {START} -->{START}",
        f"<!-- {START}",
        f"text{START}",
        '<urlset xmlns="a" xmlns="b">',
        '<urlset xmlns="&undefined;">',
        '<urlset xmlns:a="a>b">',
        "<urlset a:b='c'>",
        f"<{'!' * 9}{START}",
        f'<urlset xmlns="{"a" * 5_000}">',
    ],
)
def test_unusual_starts_are_left_to_the_parser(start: str) -> None:
    plain = PlainUrlset([f"{start}{entry('https://example.com/')}</urlset>".encode()], "s", 0)
    assert not list(plain)
    assert not plain.complete


def test_lines_are_counted_beyond_those_that_the_parser_can_count() -> None:
    """libxml2 keeps the line of an element in 16 bits, and guesses higher ones."""
    body = urlset(
        *("\n\n\n\n\n<url>\n<loc>https://example.com/</loc></url>" for _ in range(20_000))
    )
    _, found = read(body)
    first = found[0].line
    assert first is not None
    assert [row.line for row in found] == [first + 7 * number for number in range(20_000)]
