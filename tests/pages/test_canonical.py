"""The canonicals that a page declares, and the one that counts."""

import pytest

from tests.pages.responses import SITE, URL, canonical, head, page_of

B, C = f"{SITE}/b", f"{SITE}/c"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (canonical("/b"), ("tag", "/b", B, None)),
        (canonical(" /b\n"), ("tag", " /b\n", B, None)),
        (canonical("/b#part"), ("tag", "/b#part", B, None)),
        ("<link rel='alternate canonical' href=/b>", ("tag", "/b", B, None)),
        ("<LINK REL=CANONICAL HREF=/b>", ("tag", "/b", B, None)),
        ("<link rel=canonical>", ("tag", "", None, "empty")),
        (canonical(""), ("tag", "", None, "empty")),
        (canonical("  "), ("tag", "  ", None, "empty")),
        (canonical("tel:1"), ("tag", "tel:1", None, "unparsable")),
        (canonical("http://"), ("tag", "http://", None, "unparsable")),
        ("<link rel=canonical href=/b media=print>", ("tag", "/b", B, "media")),
        ("<link rel=canonical href=/b hreflang=de>", ("tag", "/b", B, "hreflang")),
        ("<link rel=canonical href=/b lang=de>", ("tag", "/b", B, "lang")),
        ("<link rel=canonical href=/b type=text/html>", ("tag", "/b", B, "type")),
        (f"<body>{canonical('/b')}", ("tag", "/b", B, "outside-head")),
        (f"<base href=/x/>{canonical('b')}", ("tag", "b", f"{SITE}/x/b", None)),
        (f"<base href=//other.example>{canonical('/b')}", (
            "tag", "/b", "https://other.example/b", None,
        )),
        (f"<base href=mailto:a@b>{canonical('b')}", ("tag", "b", B, None)),
        (f"<body><base href=/x/>{canonical('b')}", (
            "tag", "b", f"{SITE}/x/b", "outside-head",
        )),
        (canonical("/?a=1&amp;b=2"), ("tag", "/?a=1&b=2", f"{SITE}/?a=1&b=2", None)),
    ],
)  # fmt: skip
def test_canonicals_in_tags(body: str, expected: tuple[str, str, str | None, str | None]) -> None:
    (declared,) = page_of(body).canonicals
    assert (declared.source, declared.href, declared.url, declared.ignore_reason) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("</b>; rel=canonical", ("header", "/b", B, None)),
        ("<b>; rel=canonical", ("header", "b", B, None)),
        ("<>; rel=canonical", ("header", "", None, "empty")),
        ("<tel:1>; rel=canonical", ("header", "tel:1", None, "unparsable")),
        ("</b>; rel=canonical; type=text/html", ("header", "/b", B, "type")),
        ("</b>; rel=canonical; HrefLang=de", ("header", "/b", B, "hreflang")),
        ("</b>; rel=canonical; title=x", ("header", "/b", B, None)),
    ],
)
def test_canonicals_in_headers(
    link: str, expected: tuple[str, str, str | None, str | None]
) -> None:
    (declared,) = page_of(head("<base href=/x/>"), f"Link: {link}").canonicals
    assert (declared.source, declared.href, declared.url, declared.ignore_reason) == expected


@pytest.mark.parametrize(
    "body",
    [
        "<link rel=next href=/b>",
        "<link rel=canonicals href=/b>",
        "<link href=/b>",
        "<a rel=canonical href=/b>b</a>",
        "<meta name=canonical content=/b>",
        f"<noscript>{canonical('/b')}</noscript>",
        f"<template>{canonical('/b')}</template>",
        f"<title>{canonical('/b')}</title>",
    ],
)
def test_other_elements_are_not_canonicals(body: str) -> None:
    assert page_of(body).canonicals == []


@pytest.mark.parametrize(
    ("elements", "links", "url", "source"),
    [
        ([], [], None, None),
        (["/b"], [], B, "tag"),
        ([], ["/b"], B, "header"),
        (["/b"], ["/b"], B, "both"),
        (["/b", "/b"], [], B, "tag"),
        (["/b", f"{B}#part"], [], B, "tag"),
        (["/b", ""], ["tel:1"], B, "tag"),
        (["/b", "/c"], [], None, None),
        (["/b"], ["/c"], None, None),
        ([], ["/b", "/c"], None, None),
        (["/a"], [], URL, "tag"),
    ],
)
def test_the_canonical_that_counts(
    elements: list[str], links: list[str], url: str | None, source: str | None
) -> None:
    lines = [f"Link: <{link}>; rel=canonical" for link in links]
    page = page_of(head(*map(canonical, elements)), *lines)
    assert (page.canonical, page.canonical_source) == (url, source)
    assert len(page.canonicals) == len(elements) + len(links)
