"""sitemap-namespace: the namespace of the root is not exactly that of the protocol."""

import json

import pytest

from tests.rules.sitemap.files import (
    NAMESPACE,
    atom,
    atom_entry,
    entries_of,
    index,
    item,
    row_of,
    rss,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

CHILD = "https://www.example.com/child.xml"
LEGACY = "http://www.google.com/schemas/sitemap/0.84"

TABLE = [
    (NAMESPACE, []),
    ("", ["error"]),
    (NAMESPACE.replace("http:", "https:"), ["error"]),
    (f"{NAMESPACE}/", ["error"]),
    (f"{NAMESPACE}0", ["error"]),
    (NAMESPACE.replace("0.9", "0.84"), ["error"]),
    (NAMESPACE.replace("0.9", "1.0"), ["error"]),
    (NAMESPACE.replace("www.", ""), ["error"]),
    (NAMESPACE.replace("sitemaps.org", "Sitemaps.org"), ["error"]),
    (f"{NAMESPACE} ", ["error"]),
    (f"{NAMESPACE}/sitemap.xsd", ["error"]),
    ("http://www.w3.org/1999/xhtml", ["error"]),
    (LEGACY, ["warning"]),
]


@pytest.mark.parametrize(("namespace", "expected"), TABLE)
def test_namespace_of_a_urlset(namespace: str, expected: list[str]) -> None:
    row = row_of(urlset(url(), namespace=namespace))
    assert severities("sitemap-namespace", row) == expected


@pytest.mark.parametrize(("namespace", "expected"), TABLE)
def test_namespace_of_an_index(namespace: str, expected: list[str]) -> None:
    row = row_of(index(CHILD, namespace=namespace))
    assert severities("sitemap-namespace", row) == expected


def test_a_missing_namespace() -> None:
    row = row_of("<urlset><url><loc>https://www.example.com/a</loc></url></urlset>")
    assert severities("sitemap-namespace", row) == ["error"]


def test_any_prefix_is_allowed() -> None:
    row = row_of(f'<s:urlset xmlns:s="{NAMESPACE}"><s:url/></s:urlset>')
    assert severities("sitemap-namespace", row) == []


def test_declared_for_a_prefix_that_the_root_does_not_have() -> None:
    row = row_of(f'<urlset xmlns:s="{NAMESPACE}"><url/></urlset>')
    assert severities("sitemap-namespace", row) == ["error"]


def test_reported_despite_an_xml_error_after_the_root() -> None:
    row = row_of(urlset(url("https://www.example.com/?a&b"), namespace=""))
    assert severities("sitemap-namespace", row) == ["error"]


@pytest.mark.parametrize("namespace", [namespace for namespace, _ in TABLE])
def test_the_entries_are_read_with_any_namespace(namespace: str) -> None:
    assert len(entries_of(urlset(url(), url(), namespace=namespace))) == 2


@pytest.mark.parametrize(
    "body",
    [
        rss(item()),
        atom(atom_entry()),
        "https://www.example.com/a\n",
        '<html xmlns="http://www.w3.org/1999/xhtml"/>',
        "<sitemaps/>",
        "",
    ],
)
def test_other_formats_are_not_checked(body: str) -> None:
    assert severities("sitemap-namespace", row_of(body)) == []


def test_message_without_a_namespace() -> None:
    (finding,) = found("sitemap-namespace", row_of("<urlset/>"))
    assert finding.message == "has no namespace"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)


def test_message_and_evidence_contain_the_namespace() -> None:
    (finding,) = found("sitemap-namespace", row_of(urlset(url(), namespace=LEGACY)))
    assert finding.message == f"has the incorrect namespace {LEGACY}"
    assert json.loads(finding.evidence or "")["namespace"] == LEGACY
