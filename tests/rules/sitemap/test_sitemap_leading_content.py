"""sitemap-leading-content: anything but a byte order mark precedes the XML."""

import json

import pytest

from tests.rules.sitemap.files import (
    DECLARATION,
    PAGE,
    atom,
    atom_entry,
    compressed,
    index,
    item,
    row_of,
    rss,
    rules_on,
    url,
    urlset,
)
from tests.support import SITEMAP, found, severities

RULE = "sitemap-leading-content"
BODY = urlset(url(more="<lastmod>2026-11-21</lastmod>"))
BOM = "\ufeff"


@pytest.mark.parametrize(
    ("before", "characters"),
    [
        (" ", 1),
        ("\n", 1),
        ("\r\n\t", 3),
        (f"{BOM} ", 1),
        (f" {BOM}", 2),
        (BOM + BOM, 1),
        ("Notice: x\n", 10),
        ("<!-- built -->", 14),
        ("\x00", 1),
        ("é", 1),
    ],
)
def test_leading_content_is_the_only_finding(before: str, characters: int) -> None:
    row = row_of(before + BODY)
    assert (row.leading_chars, row.entries) == (characters, 1)
    assert rules_on(row) == [RULE]
    assert severities(RULE, row) == ["error"]


@pytest.mark.parametrize(
    "body",
    [
        BODY,
        BOM + BODY,
        BODY.removeprefix(DECLARATION),
        BOM + BODY.removeprefix(DECLARATION),
        f"<!-- built -->{BODY.removeprefix(DECLARATION)}",
        f"<?xml-stylesheet href='a'?>{BODY.removeprefix(DECLARATION)}",
        f"\n{PAGE}\n",
        "\n<html></html>",
        "",
        "\n",
    ],
)
def test_files_without_leading_content(body: str) -> None:
    assert severities(RULE, row_of(body)) == []


def test_utf_16_with_a_byte_order_mark() -> None:
    body = BODY.replace("UTF-8", "UTF-16")
    assert severities(RULE, row_of(body.encode("utf-16"))) == []
    assert severities(RULE, row_of(("\n" + body).encode("utf-16"))) == ["error"]


def test_every_format_and_gzip() -> None:
    for body in (index(SITEMAP), rss(item()), atom(atom_entry())):
        assert severities(RULE, row_of(body)) == []
        assert severities(RULE, row_of("\n" + body)) == ["error"]
        assert severities(RULE, row_of(compressed("\n" + body))) == ["error"]


def test_message_and_evidence() -> None:
    (finding,) = found(RULE, row_of(" " * 1_500 + BODY))
    assert finding.message == "has 1,500 characters before its XML declaration"
    assert finding.sitemap == SITEMAP
    assert json.loads(finding.evidence or "")["leading_chars"] == 1_500
