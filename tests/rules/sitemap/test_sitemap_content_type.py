"""sitemap-content-type: a media type that does not fit XML, a text file, or gzip."""

import json

import pytest

from sitemapaudit.answer import Answer
from sitemapaudit.items import Sitemap
from tests.rules.sitemap.files import (
    PAGE,
    atom,
    atom_entry,
    compressed,
    index,
    item,
    read,
    rss,
    url,
    urlset,
)
from tests.support import NOW, SITEMAP, found, severities

RULE = "sitemap-content-type"
XML = urlset(url())
TEXT = f"{PAGE}\n"
PACKED = ["application/gzip", "application/x-gzip", "application/octet-stream"]


def sent(
    body: str | bytes,
    content_type: str | None,
    *,
    at: str = SITEMAP,
    encoding: str | None = None,
    status: int = 200,
) -> Sitemap:
    headers = {"content-type": content_type, "content-encoding": encoding}
    lines = {name: [value] for name, value in headers.items() if value is not None}
    content = body.encode() if isinstance(body, str) else body
    return read(Answer(at, status, lines, content, fetched_at=NOW))


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/xml", []),
        ("text/xml", []),
        ("text/xml; charset=utf-8", []),
        ("Application/XML", []),
        ("application/rss+xml", []),
        ("application/atom+xml", []),
        ("image/svg+xml", []),
        ("text/plain", ["notice"]),
        ("text/html; charset=utf-8", ["notice"]),
        ("application/xmlx", ["notice"]),
        ("application/x-xml", ["notice"]),
        ("application/json", ["notice"]),
        *((packed, ["notice"]) for packed in PACKED),
        ("", ["notice"]),
        (None, ["notice"]),
    ],
)
def test_xml(content_type: str | None, expected: list[str]) -> None:
    for body in (XML, index(SITEMAP), rss(item()), atom(atom_entry())):
        assert severities(RULE, sent(body, content_type)) == expected


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/plain", []),
        ("TEXT/plain; charset=UTF-8", []),
        ("text/xml", ["notice"]),
        ("application/xml", ["notice"]),
        ("text/html", ["notice"]),
        *((packed, ["notice"]) for packed in PACKED),
        (None, ["notice"]),
    ],
)
def test_text(content_type: str | None, expected: list[str]) -> None:
    assert severities(RULE, sent(TEXT, content_type)) == expected


@pytest.mark.parametrize("content_type", PACKED)
@pytest.mark.parametrize("body", [XML, TEXT])
def test_gzip_may_have_the_type_of_gzip(body: str, content_type: str) -> None:
    assert severities(RULE, sent(compressed(body), content_type)) == []
    named = sent(compressed(body), content_type, at=f"{SITEMAP}.gz", encoding="gzip")
    assert (named.gzip, severities(RULE, named)) == (0, [])
    unnamed = sent(compressed(body), content_type, encoding="gzip")
    assert severities(RULE, unnamed) == ["notice"]


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (XML, "application/xml", []),
        (XML, "text/plain", ["notice"]),
        (XML, "application/zip", ["notice"]),
        (TEXT, "text/plain", []),
        (TEXT, "text/html", ["notice"]),
        (TEXT, "application/xml", ["notice"]),
    ],
)
def test_other_types_of_gzip(body: str, content_type: str, expected: list[str]) -> None:
    assert severities(RULE, sent(compressed(body), content_type)) == expected


@pytest.mark.parametrize("body", ["", "<html></html>", '{"a": 1}', "<other/>"])
def test_what_is_no_sitemap(body: str) -> None:
    assert severities(RULE, sent(body, "text/html")) == []


def test_what_was_not_read() -> None:
    assert severities(RULE, sent(XML, "text/html", status=404)) == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (sent(XML, "text/html"), "has the type text/html, and ought to have application/xml"),
        (sent(TEXT, None), "has the type none, and ought to have text/plain"),
    ],
)
def test_message(row: Sitemap, message: str) -> None:
    (finding,) = found(RULE, row)
    assert (finding.sitemap, finding.message) == (SITEMAP, message)
    assert json.loads(finding.evidence or "")["content_type"] == (row.content_type or "none")
