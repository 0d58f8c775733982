"""sitemap-content-type: a media type that does not fit XML, a text file, or gzip."""

import json

import pytest

from sitemapaudit.http.response import Response
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
from tests.support.findings import found, severities
from tests.support.rows import NOW, SITEMAP

RULE = "sitemap-content-type"
XML = urlset(url())
TEXT = f"{PAGE}\n"
GZIP_TYPES = ["application/gzip", "application/x-gzip", "application/octet-stream"]


def served(
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
    return read(Response(at, status, lines, content, fetched_at=NOW))


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
        *((media_type, ["notice"]) for media_type in GZIP_TYPES),
        ("", ["notice"]),
        (None, ["notice"]),
    ],
)
def test_xml(content_type: str | None, expected: list[str]) -> None:
    for body in (XML, index(SITEMAP), rss(item()), atom(atom_entry())):
        assert severities(RULE, served(body, content_type)) == expected


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/plain", []),
        ("TEXT/plain; charset=UTF-8", []),
        ("text/xml", ["notice"]),
        ("application/xml", ["notice"]),
        ("text/html", ["notice"]),
        *((media_type, ["notice"]) for media_type in GZIP_TYPES),
        (None, ["notice"]),
    ],
)
def test_text(content_type: str | None, expected: list[str]) -> None:
    assert severities(RULE, served(TEXT, content_type)) == expected


@pytest.mark.parametrize("content_type", GZIP_TYPES)
@pytest.mark.parametrize("body", [XML, TEXT])
def test_gzip_may_have_a_gzip_type(body: str, content_type: str) -> None:
    assert severities(RULE, served(compressed(body), content_type)) == []
    named = served(compressed(body), content_type, at=f"{SITEMAP}.gz", encoding="gzip")
    assert (named.gzip_layers, severities(RULE, named)) == (0, [])
    unnamed = served(compressed(body), content_type, encoding="gzip")
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
    assert severities(RULE, served(compressed(body), content_type)) == expected


@pytest.mark.parametrize("body", ["", "<html></html>", '{"a": 1}', "<other/>"])
def test_a_file_that_is_not_a_sitemap_is_not_checked(body: str) -> None:
    assert severities(RULE, served(body, "text/html")) == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (served(XML, "text/html"), "Content-Type is text/html instead of application/xml"),
        (served(TEXT, None), "Content-Type is none instead of text/plain"),
    ],
)
def test_message(row: Sitemap, message: str) -> None:
    (finding,) = found(RULE, row)
    assert (finding.sitemap, finding.message) == (SITEMAP, message)
    assert json.loads(finding.evidence or "")["content_type"] == (row.content_type or "none")
