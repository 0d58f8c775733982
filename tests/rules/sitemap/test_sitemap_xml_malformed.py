"""sitemap-xml-malformed: a strict parser fails; the message names line and column."""

import json

import pytest

from tests.rules.sitemap.files import (
    DECLARATION,
    NAMESPACE,
    atom,
    compressed,
    entries_of,
    index,
    item,
    row_of,
    rss,
    rules_on,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RAW = url("https://www.example.com/?a=1&b=2")
OPEN = f'<urlset xmlns="{NAMESPACE}">'


@pytest.mark.parametrize(
    "body",
    [
        urlset(RAW),
        urlset(url("https://www.example.com/?a&b")),
        urlset(url("https://www.example.com/a&")),
        urlset(url("https://www.example.com/?a<b")),
        urlset(url("https://www.example.com/&nbsp;")),
        urlset(url("https://www.example.com/\x01")),
        urlset(url("https://www.example.com/&#0;")),
        urlset(url("https://www.example.com/é")).encode("latin-1"),
        urlset("<url><loc>https://www.example.com/a</url>"),
        urlset("<url><loc>https://www.example.com/a</LOC></url>"),
        urlset("<url id=1/>"),
        urlset('<url a="1" a="2"/>'),
        urlset("<url><image:image/></url>"),
        urlset("<!-- a -- b -->"),
        urlset(url()).removesuffix("</urlset>\n"),
        urlset(url())[:-20],
        OPEN,
        urlset(url()) + "<urlset/>",
        urlset(url()) + "Warning: on line 3",
        urlset(url()) + DECLARATION,
        DECLARATION,
        index("https://www.example.com/?a=1&b=2"),
        rss(item("https://www.example.com/?a=1&b=2")),
        atom("<entry><title>Q&A</title></entry>"),
        compressed(urlset(RAW)),
    ],
)
def test_files_that_are_not_well_formed(body: str | bytes) -> None:
    assert severities("sitemap-xml-malformed", row_of(body)) == ["error"]


@pytest.mark.parametrize(
    "body",
    [
        urlset(url()),
        urlset(url("https://www.example.com/?a=1&amp;b=2")),
        urlset(url("https://www.example.com/?a=1&#38;b=2&#x26;c=3")),
        urlset(url("<![CDATA[https://www.example.com/?a=1&b=2]]>")),
        urlset(url("https://www.example.com/&lt;&gt;&quot;&apos;")),
        urlset("<!-- Q&A -->", url()),
        urlset('<url><i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"/></url>'),
        urlset(url()).removeprefix(DECLARATION),
        "\ufeff" + urlset(url()),
        ("\ufeff" + urlset(url())).replace("UTF-8", "UTF-16").encode("utf-16-be"),
        urlset(url("https://www.example.com/é")).replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        urlset(url()).replace("\n", "\r\n"),
        urlset(url()) + "\n\n<!-- 12 ms -->\n",
        compressed(urlset(url())),
    ],
)
def test_well_formed_files(body: str | bytes) -> None:
    assert severities("sitemap-xml-malformed", row_of(body)) == []


@pytest.mark.parametrize("before", ["\n", "\n\n  ", "\ufeff\n", "Warning: on line 3\n"])
def test_content_before_the_declaration_is_not_reported(before: str) -> None:
    assert severities("sitemap-xml-malformed", row_of(before + urlset(url()))) == []


@pytest.mark.parametrize(
    "body",
    [
        "",
        "https://www.example.com/?a=1&b=2\n",
        "<!doctype html><p>Q&A",
        "<html><p>Q&A</html>",
        '{"a": "<b>"}',
        b"\x89PNG\r\n\x1a\n\0\0<",
    ],
)
def test_a_file_that_is_not_an_xml_sitemap_is_not_parsed(body: str | bytes) -> None:
    assert severities("sitemap-xml-malformed", row_of(body)) == []


def test_xml_truncated_by_a_compression_error_is_not_reported() -> None:
    body = compressed(urlset(*[url(f"https://www.example.com/{n}") for n in range(20_000)]))
    row = row_of(body[: len(body) // 2])
    assert row.entries > 0
    assert rules_on(row) == ["sitemap-gzip-invalid"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (urlset(RAW), "line 3, column 41"),
        (urlset(url(), url(), RAW, url()), "line 5, column 41"),
        (urlset(url(), RAW, RAW), "line 4, column 41"),
        ("\n\n" + urlset(RAW), "line 5, column 41"),
        ("\ufeff" + urlset(RAW), "line 3, column 41"),
        (" " + OPEN + RAW, f"line 1, column {len(OPEN) + 42}"),
        (compressed(urlset(RAW)), "line 3, column 41"),
        (urlset(url("https://www.example.com/&nbsp;")), "line 3, column 41"),
        (urlset(url(), "<url><image:image/></url>", RAW), "line 4, column 18"),
    ],
)
def test_message_contains_the_place_of_the_first_error(body: str | bytes, place: str) -> None:
    (finding,) = found("sitemap-xml-malformed", row_of(body))
    assert finding.message.startswith(f"XML error at {place}: ")
    evidence = json.loads(finding.evidence or "")
    assert f"line {evidence['line']}, column {evidence['column']}" == place
    assert (finding.url, finding.sitemap) == (None, SITEMAP)


def test_message_of_an_entry_that_is_too_long() -> None:
    body = urlset(url(), url("x" * 5_000_000))
    (finding,) = found("sitemap-xml-malformed", row_of(body))
    assert finding.message == (
        "XML error at line 3: no entry ends within 4,194,304 bytes after this line: "
        "an end tag is missing, or an entry is far too long"
    )


def test_the_intended_url_is_recovered_and_marked() -> None:
    body = urlset(url(), RAW, url())
    entries = [(entry.loc, entry.recovered) for entry in entries_of(body)]
    assert entries == [
        ("https://www.example.com/a", False),
        ("https://www.example.com/?a=1&b=2", True),
        ("https://www.example.com/a", True),
    ]
    (finding,) = found("sitemap-xml-malformed", row_of(body))
    assert json.loads(finding.evidence or "")["recovered_entries"] == 2
