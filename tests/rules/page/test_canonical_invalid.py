"""canonical-invalid: a canonical that is ignored, or used without its fragment."""

import pytest

from tests.pages.answers import SITE, URL, WITHHELD, canonical, head, page_of, withheld
from tests.support import found, severities

RULE = "canonical-invalid"


@pytest.mark.parametrize(
    ("tag", "problem"),
    [
        ("<link rel=canonical>", "is empty"),
        (canonical(""), "is empty"),
        (canonical(" \n"), "is empty"),
        (canonical("mailto:a@example.com"), "is no http(s) address"),
        (canonical("javascript:void(0)"), "is no http(s) address"),
        (canonical("ftp://www.example.com/a"), "is no http(s) address"),
        (canonical("http://"), "is no http(s) address"),
        (canonical("https://www.example.com:99999/"), "is no http(s) address"),
        (canonical("https://[::1/"), "is no http(s) address"),
        ("<link rel=canonical href=/a hreflang=en>", "carries hreflang"),
        ("<link rel=canonical href=/a lang=en>", "carries lang"),
        ("<link rel=canonical href=/a media=print>", "carries media"),
        ("<link rel=canonical href=/a type=text/html>", "carries type"),
        ("<LINK REL=Canonical HREF=/a MEDIA=all>", "carries media"),
    ],
)
def test_ignored(tag: str, problem: str) -> None:
    page = page_of(head(tag))
    (finding,) = found(RULE, page)
    assert finding.severity == "warning"
    assert finding.message.endswith(f", which {problem}")
    assert page.canonical is None


@pytest.mark.parametrize("href", ["/a#part", f"{SITE}/a#", "#part", "b#c#d"])
def test_a_fragment_is_told_and_dropped(href: str) -> None:
    page = page_of(head(canonical(href)))
    (finding,) = found(RULE, page)
    assert finding.severity == "warning"
    assert finding.message == f"names the canonical {href!r}, which has a fragment"
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
def test_valid_or_no_canonical(tag: str) -> None:
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


def test_each_is_told() -> None:
    page = page_of(head(canonical(""), canonical("/a#x"), canonical("tel:1"), canonical("/a")))
    assert severities(RULE, page) == ["warning"] * 3


def test_one_outside_the_head_is_told_by_the_rule_for_that() -> None:
    page = page_of(f"<body>{canonical('/a#part')}")
    assert severities(RULE, page) == []
    assert severities("canonical-outside-head", page) == ["error"]


def test_place() -> None:
    (finding,) = found(RULE, page_of(head(canonical("tel:1"))))
    assert (finding.url, finding.sitemap, finding.position) == (URL, None, None)


@pytest.mark.parametrize("how", WITHHELD)
def test_silent_where_the_page_is_not_known(how: str) -> None:
    assert severities(RULE, withheld(how, head(canonical("")), "Link: <>; rel=canonical")) == []
