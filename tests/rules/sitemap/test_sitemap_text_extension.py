"""sitemap-text-extension: the path of a text sitemap ends in neither .txt nor .txt.gz."""

from dataclasses import replace

import pytest

from tests.rules.sitemap.files import (
    PAGE,
    atom,
    atom_entry,
    compressed,
    item,
    row_of,
    rss,
    url,
    urlset,
)
from tests.support.findings import found, severities

RULE = "sitemap-text-extension"
SITE = "https://www.example.com"
TEXT = f"{PAGE}\n"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/sitemap.txt", []),
        ("/sitemap.TXT", []),
        ("/sitemap.txt.gz", []),
        ("/sitemap.Txt.GZ", []),
        ("/sitemap.txt?page=1", []),
        ("/a/.txt", []),
        ("/sitemap.xml", ["notice"]),
        ("/sitemap", ["notice"]),
        ("/", ["notice"]),
        ("/sitemaptxt", ["notice"]),
        ("/sitemap.txt/", ["notice"]),
        ("/sitemap.txt.zip", ["notice"]),
        ("/sitemap.gz", ["notice"]),
        ("/sitemap.php?file=a.txt", ["notice"]),
        ("/sitemap.txt.php", ["notice"]),
    ],
)
def test_paths(path: str, expected: list[str]) -> None:
    assert severities(RULE, row_of(TEXT, at=SITE + path)) == expected
    assert severities(RULE, row_of(compressed(TEXT), at=SITE + path)) == expected


def test_the_listed_url_counts() -> None:
    row = row_of(TEXT, at=f"{SITE}/sitemap.txt")
    assert severities(RULE, replace(row, final_url=f"{SITE}/sitemap")) == []
    assert severities(RULE, replace(row, sitemap=f"{SITE}/sitemap")) == ["notice"]


@pytest.mark.parametrize("body", [urlset(url()), rss(item()), atom(atom_entry()), "", "<html>"])
def test_other_formats_are_not_checked(body: str) -> None:
    assert severities(RULE, row_of(body, at=f"{SITE}/sitemap")) == []


def test_message() -> None:
    (finding,) = found(RULE, row_of(TEXT, at=f"{SITE}/sitemap.asp"))
    assert finding.message == "is a text sitemap without the extension .txt"
    assert (finding.url, finding.sitemap) == (None, f"{SITE}/sitemap.asp")
