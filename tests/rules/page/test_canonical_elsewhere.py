"""canonical-elsewhere: the one usable canonical, normalised, is not the address of the page."""

import json

import pytest

from tests.pages.answers import SITE, URL, WITHHELD, canonical, head, page_of, redirect, withheld
from tests.support import found, severities

RULE = "canonical-elsewhere"


@pytest.mark.parametrize(
    "href",
    [
        URL,
        "/a",
        "a",
        "//www.example.com/a",
        "HTTPS://WWW.EXAMPLE.COM/a",
        "https://www.example.com:443/a",
        "https://www.example.com/%61",
        "https://www.example.com/b/../a",
        "https://www.example.com/a#part",
        "  https://www.example.com/a\n",
    ],
)
def test_the_page_itself(href: str) -> None:
    assert severities(RULE, page_of(head(canonical(href)))) == []


@pytest.mark.parametrize(
    "href",
    [
        f"{SITE}/b",
        f"{SITE}/A",
        f"{SITE}/a/",
        f"{SITE}/a?",
        f"{SITE}/a?x=1",
        f"{SITE}/a/index.html",
        "http://www.example.com/a",
        "https://example.com/a",
        "https://www.example.com:8443/a",
        "/b",
    ],
)
def test_another_url(href: str) -> None:
    assert severities(RULE, page_of(head(canonical(href)))) == ["error"]


def test_another_order_of_the_query_is_another_url() -> None:
    page = page_of(head(canonical("?b=2&amp;a=1")), at=f"{URL}?a=1&b=2")
    assert severities(RULE, page) == ["error"]


def test_spellings_of_one_url_with_other_letters() -> None:
    page = page_of(head(canonical("https://bücher.example/straße?q=%c3%9f")), at=(
        "https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%9F"
    ))  # fmt: skip
    assert severities(RULE, page) == []


@pytest.mark.parametrize(
    ("elements", "lines", "expected"),
    [
        ([], [], []),
        ([canonical("/b")], [], ["error"]),
        ([], ["Link: </b>; rel=canonical"], ["error"]),
        ([canonical("/b")], ["Link: </b>; rel=canonical"], ["error"]),
        ([canonical("/b"), canonical("/b")], [], ["error"]),
        ([canonical("/b"), canonical("/c")], [], []),
        ([canonical("/a"), canonical("/b")], [], []),
        ([canonical("/a")], ["Link: </b>; rel=canonical"], []),
        ([canonical(""), canonical("/b")], [], ["error"]),
        (['<link rel=canonical href=/b media="print">'], [], []),
        ([canonical("mailto:a@example.com")], [], []),
        (["<div></div>", canonical("/b")], [], []),
        (["<base href=/x/>", canonical("a")], [], ["error"]),
        (["<base href=/x/>", canonical("../a")], [], []),
    ],
)
def test_just_one_usable(elements: list[str], lines: list[str], expected: list[str]) -> None:
    assert severities(RULE, page_of(head(*elements), *lines)) == expected


@pytest.mark.parametrize(
    ("elements", "lines", "source"),
    [
        ([canonical("/b")], [], "tag"),
        ([], ["Link: </b>; rel=canonical"], "header"),
        ([canonical("/b")], ["Link: </b>; rel=canonical"], "both"),
    ],
)
def test_message(elements: list[str], lines: list[str], source: str) -> None:
    (finding,) = found(RULE, page_of(head(*elements), *lines))
    assert finding.message == f"names {SITE}/b as its canonical, by {source}"
    assert finding.url == URL
    assert json.loads(finding.evidence or "") == {"canonical": f"{SITE}/b", "source": source}


def test_what_is_no_html_has_its_canonical_in_the_header() -> None:
    page = page_of("%PDF-1.7", "Link: </b>; rel=canonical", media="application/pdf")
    assert severities(RULE, page) == ["error"]


@pytest.mark.parametrize("how", WITHHELD)
def test_silent_where_the_page_is_not_known(how: str) -> None:
    page = withheld(how, head(canonical("/b")), "Link: </b>; rel=canonical")
    assert severities(RULE, page) == []


def test_silent_on_a_redirect() -> None:
    assert severities(RULE, redirect(URL, "/c", 302, "Link: </b>; rel=canonical")) == []
