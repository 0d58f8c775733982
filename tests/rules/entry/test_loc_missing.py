"""loc-missing: a url or sitemap element whose loc is missing, or empty after trimming."""

import json

import pytest

from tests.rules.sitemap.files import (
    DECLARATION,
    NAMESPACE,
    atom,
    entries_of,
    read,
    response,
    rss,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
URL = "https://www.example.com/a"


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("", ["error"]),
        ("<loc/>", ["error"]),
        ("<loc/><loc> </loc>", ["error"]),
        (f"<loc/><loc>{URL}</loc>", []),
        ("<loc></loc>", ["error"]),
        ("<loc> \n\t </loc>", ["error"]),
        ("<loc>&#32;&#10;</loc>", ["error"]),
        ("<loc><!-- later --></loc>", ["error"]),
        ("<loc><![CDATA[ ]]></loc>", ["error"]),
        ("<lastmod>2026-11-21</lastmod>", ["error"]),
        (f"<Loc>{URL}</Loc>", ["error"]),
        (f"<x:loc xmlns:x='{IMAGE}'>{URL}</x:loc>", ["error"]),
        (f"<i:image xmlns:i='{IMAGE}'><i:loc>{URL}</i:loc></i:image>", ["error"]),
        (f"<v:video xmlns:v='{VIDEO}'><v:content_loc>{URL}</v:content_loc></v:video>", ["error"]),
        (f"<image xmlns='{IMAGE}'><loc>{URL}</loc></image>", ["error"]),
        (f"<loc>{URL}</loc>", []),
        (f"<loc>\n {URL}\n</loc>", []),
        (f"<loc><![CDATA[{URL}]]></loc>", []),
        (f"<lastmod>2026-11-21</lastmod><loc>{URL}</loc>", []),
        (f"<s:loc xmlns:s='{NAMESPACE}'>{URL}</s:loc>", []),
        (f"<loc>{URL}</loc><i:image xmlns:i='{IMAGE}'><i:loc/></i:image>", []),
        ("<loc>/a</loc>", []),
        ("<loc>0</loc>", []),
    ],
)
@pytest.mark.parametrize(("root", "element"), [("urlset", "url"), ("sitemapindex", "sitemap")])
def test_element(root: str, element: str, inside: str, expected: list[str]) -> None:
    body = f'{DECLARATION}<{root} xmlns="{NAMESPACE}"><{element}>{inside}</{element}></{root}>'
    (entry,) = entries_of(body)
    assert severities("loc-missing", entry) == expected


@pytest.mark.parametrize("body", [rss("<item/>"), atom("<entry/>")])
def test_feeds_are_not_checked(body: str) -> None:
    (entry,) = entries_of(body)
    assert severities("loc-missing", entry) == []


def test_blank_lines_of_a_text_sitemap_are_not_entries() -> None:
    entries = entries_of(f"{URL}\n\n \n{URL}\n")
    assert [severities("loc-missing", entry) for entry in entries] == [[], []]


def test_an_entry_without_loc_has_a_position() -> None:
    entries = entries_of(urlset(url(), "<url/>", url(), "<url/>"))
    findings = [finding for entry in entries for finding in found("loc-missing", entry)]
    assert [finding.position for finding in findings] == [2, 4]


def test_an_entry_without_loc_is_counted() -> None:
    assert read(response(urlset(url(), "<url/>"))).entries == 2


def test_message_and_place() -> None:
    _, entry = entries_of(urlset(url(), "<url/>"))
    (finding,) = found("loc-missing", entry)
    assert finding.message == "entry 2 has no loc"
    assert (finding.url, finding.sitemap, finding.position) == (None, SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {"position": 2, "line": 4}
