"""sitemap-format-unknown: neither a supported root element nor a list of URLs."""

import pytest

from tests.rules.sitemap.files import (
    DECLARATION,
    NAMESPACE,
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
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

CHILD = "https://www.example.com/child.xml"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RSS_1 = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns="http://purl.org/rss/1.0/">{item()}</rdf:RDF>'
ATOM_03 = atom(atom_entry(), namespace="http://purl.org/atom/ns#")


@pytest.mark.parametrize(
    "body",
    [
        "<sitemaps/>",
        f'{DECLARATION}<UrlSet xmlns="{NAMESPACE}"><url/></UrlSet>',
        f'<url xmlns="{NAMESPACE}"><loc>https://www.example.com/a</loc></url>',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        "<div>Not found</div>",
        "<a><b></a>",
        '{"urls": ["https://www.example.com/a"]}',
        '["https://www.example.com/a"]',
        "Not found",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"%PDF-1.7\n\0\x01\x02",
        compressed("{}"),
    ],
)
def test_unsupported_formats(body: str | bytes) -> None:
    assert severities("sitemap-format-unknown", row_of(body)) == ["error"]


@pytest.mark.parametrize("body", [RSS_1, ATOM_03])
def test_outdated_feed_formats_are_a_notice(body: str) -> None:
    assert severities("sitemap-format-unknown", row_of(body)) == ["notice"]


@pytest.mark.parametrize(
    "body",
    [
        urlset(url()),
        urlset(url(), namespace=""),
        urlset(url(), namespace="http://www.google.com/schemas/sitemap/0.84"),
        index(CHILD),
        rss(item()),
        atom(atom_entry()),
        "https://www.example.com/a\n",
        "https://www.example.com/a https://www.example.com/b\n",
        "Our pages\nhttps://www.example.com/a\n",
        compressed(urlset(url())),
        compressed("https://www.example.com/a\n"),
        ("\ufeff" + urlset(url())).encode("utf-16-le"),
        "\n\n" + urlset(url()),
    ],
)
def test_supported_formats(body: str | bytes) -> None:
    assert severities("sitemap-format-unknown", row_of(body)) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [("sitemap.txt", []), ("sitemap.txt.gz", []), ("sitemap.xml", ["error"]), ("s", ["error"])],
)
def test_lines_without_an_absolute_url_are_a_text_sitemap_only_if_named_txt(
    name: str, expected: list[str]
) -> None:
    row = row_of("/a\n/b\n", at=f"https://www.example.com/{name}")
    assert severities("sitemap-format-unknown", row) == expected


@pytest.mark.parametrize("body", ['{"a": 1}', "[1]"])
def test_json_is_not_a_text_sitemap_under_any_name(body: str) -> None:
    row = row_of(body, at="https://www.example.com/sitemap.txt")
    assert severities("sitemap-format-unknown", row) == ["error"]


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("", "sitemap-body-empty"),
        ("<!doctype html><title>Sign in</title>", "sitemap-is-html"),
        ('<?xml version="1.0"?>', "sitemap-xml-malformed"),
        (urlset(url("https://www.example.com/?a&b")), "sitemap-xml-malformed"),
        (compressed(urlset())[:-4], "sitemap-gzip-invalid"),
        (compressed("{}")[:-4], "sitemap-gzip-invalid"),
        (b"\x1f\x8b\0\0\0\0\0\0", "sitemap-gzip-invalid"),
    ],
)
def test_one_problem_is_one_finding(body: str | bytes, rule: str) -> None:
    assert rules_on(row_of(body)) == [rule]


def test_message() -> None:
    (finding,) = found("sitemap-format-unknown", row_of("{}"))
    assert finding.message == "has no supported sitemap format"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (rss().replace(' version="2.0"', ""), "is RSS without a version; engines support RSS 2.0"),
        (RSS_1, "is RSS 1.0; engines support RSS 2.0"),
        (ATOM_03, "is Atom 0.3; engines support Atom 1.0"),
    ],
)
def test_message_names_the_version(body: str, message: str) -> None:
    (finding,) = found("sitemap-format-unknown", row_of(body))
    assert finding.message == message
