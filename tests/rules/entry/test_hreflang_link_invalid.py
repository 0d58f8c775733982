"""hreflang-link-invalid: an xhtml:link without rel, hreflang or an absolute, valid href."""

import json

import pytest

from sitemapaudit.sitemaps.extensions import XHTML
from tests.rules.entry.extended import entry_of, image, link
from tests.rules.sitemap.files import PAGE
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "hreflang-link-invalid"


@pytest.mark.parametrize(
    ("rel", "expected"),
    [
        ("alternate", []),
        ("Alternate", []),
        (" ALTERNATE ", []),
        (None, ["error"]),
        ("", ["error"]),
        ("canonical", ["error"]),
        ("alternates", ["error"]),
    ],
)
def test_rel(rel: str | None, expected: list[str]) -> None:
    assert severities(RULE, entry_of(link(rel=rel))) == expected


@pytest.mark.parametrize(
    ("hreflang", "expected"),
    [
        ("de", []),
        ("x-default", []),
        ("en-UK", []),
        ("nonsense", []),
        (None, ["error"]),
        ("", ["error"]),
        (" ", ["error"]),
    ],
)
def test_hreflang(hreflang: str | None, expected: list[str]) -> None:
    assert severities(RULE, entry_of(link(hreflang=hreflang))) == expected


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        (PAGE, []),
        (f" {PAGE} ", []),
        ("http://other.example/ä?a=1&amp;b=2#c", []),
        (None, ["error"]),
        ("", ["error"]),
        (" ", ["error"]),
        ("/de/a", ["error"]),
        ("de/a", ["error"]),
        ("//www.example.com/de/a", ["error"]),
        ("www.example.com/de/a", ["error"]),
        ("www.example.com:8080/de", ["error"]),
        ("android-app://com.example/http/a", ["error"]),
        ("https://www.example.com/a b", ["error"]),
        ("https://www.example.com/%zz", ["error"]),
        ("https://me@www.example.com/", ["error"]),
        ("https://www.example.com:99999/", ["error"]),
    ],
)
def test_href(href: str | None, expected: list[str]) -> None:
    assert severities(RULE, entry_of(link(href=href))) == expected


@pytest.mark.parametrize("extension", ["", image()])
def test_no_finding_without_links(extension: str) -> None:
    assert severities(RULE, entry_of(extension)) == []


def test_a_link_in_another_namespace_does_not_count() -> None:
    other = link(href="/a").replace(XHTML, "https://other.example/")
    assert severities(RULE, entry_of(other)) == []


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (link(rel=None, hreflang=None, href=None), 'has no rel="alternate"'),
        (link(hreflang="", href=None), "has no hreflang"),
        (link(href=None), "has no href"),
        (link(href=" /de "), "has the href '/de', which is not an absolute URL"),
        (
            link(href="ftp://a/"),
            "has the href 'ftp://a/', which is not a valid URL: its scheme is not http or https",
        ),
    ],
)
def test_one_finding_per_link(bad: str, problem: str) -> None:
    (finding,) = found(RULE, entry_of(link(), bad, link()))
    assert finding.message == f"xhtml:link 2 {problem}"
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 1)


def test_evidence_contains_the_values_as_written() -> None:
    (finding,) = found(RULE, entry_of(link(hreflang="de", href="/de")))
    evidence = json.loads(finding.evidence or "")
    assert (evidence["hreflang"], evidence["href"]) == ("de", "/de")
