"""sitemap-no-entries: a well-formed urlset or index has no child; a notice for a news sitemap."""

import pytest

from tests.rules.sitemap.files import (
    NAMESPACE,
    atom,
    compressed,
    index,
    row_of,
    rss,
    rules_on,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
CHILD = "https://www.example.com/child.xml"


@pytest.mark.parametrize(
    "body",
    [
        urlset(),
        index(),
        f'<urlset xmlns="{NAMESPACE}"/>',
        f'<urlset xmlns="{NAMESPACE}"></urlset>',
        f'<s:urlset xmlns:s="{NAMESPACE}"/>',
        urlset("<!-- " + url() + " -->"),
        compressed(urlset()),
    ],
)
def test_files_without_entries(body: str | bytes) -> None:
    assert severities("sitemap-no-entries", row_of(body)) == ["error"]


@pytest.mark.parametrize(
    "body",
    [
        urlset(url()),
        index(CHILD),
        urlset("<url/>"),
        urlset(url(), namespace=""),
        f'<s:urlset xmlns:s="{NAMESPACE}"><s:url/></s:urlset>',
        "https://www.example.com/a\n",
    ],
)
def test_files_with_an_entry(body: str) -> None:
    assert severities("sitemap-no-entries", row_of(body)) == []


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (f'xmlns:news="{NEWS}"', ["notice"]),
        (f'xmlns:n="{NEWS}"', ["notice"]),
        (f'xmlns:image="{IMAGE}" xmlns:news="{NEWS}"', ["notice"]),
        (f'xmlns:news="{IMAGE}"', ["error"]),
        (f'xmlns:news="{NEWS.replace("http:", "https:")}"', ["error"]),
    ],
)
def test_a_news_sitemap_is_detected_from_its_namespace(declared: str, expected: list[str]) -> None:
    row = row_of(f'<urlset xmlns="{NAMESPACE}" {declared}></urlset>')
    assert severities("sitemap-no-entries", row) == expected


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        (f'<urlset xmlns="{NAMESPACE}">', "sitemap-xml-malformed"),
        (urlset("&"), "sitemap-xml-malformed"),
        (compressed(urlset())[:-1], "sitemap-gzip-invalid"),
        ("", "sitemap-body-empty"),
        ("<sitemaps/>", "sitemap-format-unknown"),
        ("<html/>", "sitemap-is-html"),
    ],
)
def test_a_file_that_was_not_read_completely_is_not_reported(body: str | bytes, rule: str) -> None:
    assert rules_on(row_of(body)) == [rule]


@pytest.mark.parametrize("body", [rss(), atom()])
def test_a_feed_may_be_empty(body: str) -> None:
    assert severities("sitemap-no-entries", row_of(body)) == []


@pytest.mark.parametrize(("body", "kind"), [(urlset(), "urlset"), (index(), "sitemapindex")])
def test_message_names_the_kind(body: str, kind: str) -> None:
    (finding,) = found("sitemap-no-entries", row_of(body))
    assert finding.message == f"is a {kind} without entries"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
