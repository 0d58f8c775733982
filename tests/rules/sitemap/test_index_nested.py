"""index-nested: a child of an index is itself an index."""

import json

import pytest

from sitemapaudit.items import Sitemap, SitemapSource
from tests.rules.sitemap.files import (
    NAMESPACE,
    atom,
    atom_entry,
    index,
    item,
    read,
    response,
    rss,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

PARENT = "https://www.example.com/index.xml"
CHILD = "https://www.example.com/child.xml"


def child(body: str, depth: int = 1) -> Sitemap:
    return read(response(body), Sitemap(SITEMAP, PARENT, SitemapSource.INDEX, depth))


@pytest.mark.parametrize(
    "source", [SitemapSource.ROBOTS, SitemapSource.GIVEN, SitemapSource.WELL_KNOWN]
)
def test_an_index_where_discovery_begins_is_not_nested(source: SitemapSource) -> None:
    row = read(response(index(CHILD)), Sitemap(SITEMAP, source=source))
    assert severities("index-nested", row) == []


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_an_index_below_an_index_is_nested(depth: int) -> None:
    assert severities("index-nested", child(index(CHILD), depth)) == ["error"]


@pytest.mark.parametrize(
    "body",
    [
        urlset(url()),
        rss(item()),
        atom(atom_entry()),
        "https://www.example.com/a\n",
        "<!doctype html><title>Sign in</title>",
        "",
    ],
)
def test_a_child_in_another_format_is_not_nested(body: str) -> None:
    assert severities("index-nested", child(body)) == []


@pytest.mark.parametrize("namespace", ["", NAMESPACE.replace("http:", "https:")])
def test_an_index_with_a_wrong_namespace_is_nested(namespace: str) -> None:
    assert severities("index-nested", child(index(CHILD, namespace=namespace))) == ["error"]


def test_message_names_the_parent() -> None:
    (finding,) = found("index-nested", child(index(CHILD)))
    assert finding.message == f"is an index that another index lists: {PARENT}"
    assert json.loads(finding.evidence or "") == {"parent": PARENT, "depth": 1}
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
