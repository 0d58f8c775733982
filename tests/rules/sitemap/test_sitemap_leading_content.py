"""sitemap-leading-content: anything but a byte order mark precedes the XML."""

import json

import pytest

from tests.rules.sitemap.files import (
    DECLARATION,
    PAGE,
    atom,
    atom_entry,
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


BROWSER_NOTICE = (
    "This XML file does not appear to have any style information associated with it. "
    "The document tree is shown below.\n"
)
PHP_WARNING = "<br />\n<b>Warning</b>:  Undefined key in <b>/a.php</b> on line <b>3</b><br />\n"
UNDECLARED = BODY.removeprefix(DECLARATION)


@pytest.mark.parametrize(
    "before",
    [
        BROWSER_NOTICE,
        f"\n{BROWSER_NOTICE}\u25bc",
        PHP_WARNING,
        f"{BOM}{PHP_WARNING}",
        "[22-Nov-2026 12:00:00 UTC] PHP Notice: a\n",
        "<font size='1'><table><tr><td>Warning</td></tr></table></font>",
        "https://www.example.com/sitemap.xml\n",
        "<!-- built -->built\n",
        "1 < 2 & 3 > 2\n",
    ],
)
@pytest.mark.parametrize(
    "body", [UNDECLARED, UNDECLARED.replace("<loc>", "<loc>\n").replace("</loc>", "\n</loc>")]
)
def test_leading_content_of_a_file_without_a_declaration(before: str, body: str) -> None:
    row = row_of(before + body)
    assert (row.detected_format, row.leading_chars) == ("xml", len(before.removeprefix(BOM)))
    assert (row.entries, row.xml_error) == (1, None)
    assert RULE in rules_on(row)
    (entry,) = entries_of(before + body)
    assert entry.line == (before + body)[: (before + body).index("<url>")].count("\n") + 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{PAGE}\n{PAGE}?q=<urlset><url>\n", ("text", 2)),
        (f"# urls of the <urlset>\n{PAGE}\n", ("text", 2)),
        (f'{{"sitemap": "{UNDECLARED}"}}', ("prose", 0)),
        (f'[\n"{UNDECLARED}"]', ("prose", 0)),
        (f"<!doctype html><p>{UNDECLARED}", ("html", 0)),
        ("<div>&lt;urlset&gt;&lt;url&gt;</div>", ("xml", 0)),
        (f"<pre>{UNDECLARED}</pre>", ("xml", 0)),
        (f"<data><feed>{UNDECLARED}</feed></data>", ("xml", 0)),
        (f"Warning\n<html><body>{UNDECLARED}", ("prose", 0)),
        (f"Warning <!-- {UNDECLARED} -->", ("prose", 0)),
        ("The file starts with <urlset>, then a url follows.", ("prose", 0)),
        (" " * 9 + "x" * 4_097 + UNDECLARED, ("prose", 0)),
    ],
)
def test_other_files_that_mention_a_root_element(body: str, expected: tuple[str, int]) -> None:
    row = row_of(body)
    assert (row.detected_format, row.entries, row.leading_chars) == (*expected, 0)


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
        bare = row_of(BROWSER_NOTICE + body.removeprefix(DECLARATION))
        assert (severities(RULE, bare), bare.entries) == (["error"], 1)
        assert severities(RULE, row_of("\n" + body)) == ["error"]
        assert severities(RULE, row_of(compressed("\n" + body))) == ["error"]


@pytest.mark.parametrize(("count", "words"), [(1, "1 character"), (1_500, "1,500 characters")])
def test_message_and_evidence(count: int, words: str) -> None:
    (finding,) = found(RULE, row_of(" " * count + BODY))
    assert finding.message == f"has {words} before its XML"
    assert finding.sitemap == SITEMAP
    assert json.loads(finding.evidence or "")["leading_chars"] == count
