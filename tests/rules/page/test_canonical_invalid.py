"""canonical-invalid: a canonical that is ignored, or used without its fragment."""

import pytest

from tests.pages.responses import SITE, URL, canonical, head, page_of
from tests.support.findings import found, severities

RULE = "canonical-invalid"


@pytest.mark.parametrize(
    ("tag", "problem"),
    [
        ("<link rel=canonical>", "is empty"),
        (canonical(""), "is empty"),
        (canonical(" \n"), "is empty"),
        (canonical("mailto:a@example.com"), "is not an http(s) URL"),
        (canonical("javascript:void(0)"), "is not an http(s) URL"),
        (canonical("ftp://www.example.com/a"), "is not an http(s) URL"),
        (canonical("http://"), "is not an http(s) URL"),
        (canonical("https://www.example.com:99999/"), "is not an http(s) URL"),
        (canonical("https://[::1/"), "is not an http(s) URL"),
        ("<link rel=canonical href=/a hreflang=en>", "has the attribute hreflang"),
        ("<link rel=canonical href=/a lang=en>", "has the attribute lang"),
        ("<link rel=canonical href=/a media=print>", "has the attribute media"),
        ("<link rel=canonical href=/a type=text/html>", "has the attribute type"),
        ("<LINK REL=Canonical HREF=/a MEDIA=all>", "has the attribute media"),
    ],
)
def test_an_ignored_canonical_is_reported(tag: str, problem: str) -> None:
    page = page_of(head(tag))
    (finding,) = found(RULE, page)
    assert finding.severity == "warning"
    assert finding.message.endswith(f", which {problem}")
    assert page.canonical is None


@pytest.mark.parametrize("href", ["/a#part", f"{SITE}/a#", "#part", "b#c#d"])
def test_a_fragment_is_reported_and_removed(href: str) -> None:
    page = page_of(head(canonical(href)))
    (finding,) = found(RULE, page)
    assert finding.severity == "warning"
    assert finding.message == f"declares the canonical {href!r}, which has a fragment"
    assert page.canonical in (URL, f"{SITE}/b")


@pytest.mark.parametrize(
    "tag",
    [
        canonical(URL),
        canonical("b"),
        canonical("https://other.example/?q=%23"),
        "<link rel='canonical' href='/a' id='c' crossorigin>",
        "<link rel='alternate' hreflang='de' href=''>",
        "<a rel=canonical href=''>x</a>",
    ],
)
def test_a_valid_canonical_is_not_reported(tag: str) -> None:
    assert severities(RULE, page_of(head(tag))) == []


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<>; rel=canonical", ["warning"]),
        ("<mailto:a@example.com>; rel=canonical", ["warning"]),
        ("</a>; rel=canonical; hreflang=en", ["warning"]),
        ("</a>; rel=canonical; type=text/html", ["warning"]),
        ("</a#part>; rel=canonical", ["warning"]),
        ("</a>; rel=canonical", []),
        ("<>; rel=next", []),
    ],
)
def test_header(link: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(), f"Link: {link}")) == expected


def test_each_invalid_canonical_is_reported() -> None:
    page = page_of(head(canonical(""), canonical("/a#x"), canonical("tel:1"), canonical("/a")))
    assert severities(RULE, page) == ["warning"] * 3


def test_a_canonical_outside_the_head_is_reported_by_its_own_rule() -> None:
    page = page_of(f"<body>{canonical('/a#part')}")
    assert severities(RULE, page) == []
    assert severities("canonical-outside-head", page) == ["error"]


def test_finding_is_on_the_page() -> None:
    (finding,) = found(RULE, page_of(head(canonical("tel:1"))))
    assert (finding.url, finding.sitemap, finding.position) == (URL, None, None)
