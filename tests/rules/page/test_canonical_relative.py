"""canonical-relative: the value of a usable canonical has no scheme."""

import json

import pytest

from tests.pages.responses import SITE, URL, canonical, head, page_of
from tests.support.findings import found, severities

RULE = "canonical-relative"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/a", ["notice"]),
        ("a", ["notice"]),
        ("./a", ["notice"]),
        ("?x=1", ["notice"]),
        ("#part", ["notice"]),
        ("//www.example.com/a", ["notice"]),
        ("/a?u=https://www.example.com/", ["notice"]),
        (" /a ", ["notice"]),
        (URL, []),
        ("HTTPS://www.example.com/a", []),
        (f"\n {URL}", []),
        ("http://other.example/", []),
        ("", []),
        ("mailto:a@example.com", []),
    ],
)
def test_scheme(href: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(canonical(href)))) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("</a>; rel=canonical", ["notice"]),
        (f"<{URL}>; rel=canonical", []),
        ("</a>; rel=next", []),
    ],
)
def test_header(link: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(), f"Link: {link}")) == expected


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("", f"{SITE}/b"),
        ("<base href=/x/>", f"{SITE}/x/b"),
        ("<base href=https://other.example/>", "https://other.example/b"),
        ("<base target=_top><base href=/x/><base href=/y/>", f"{SITE}/x/b"),
        ("<base href=data:,x>", f"{SITE}/b"),
    ],
)
def test_a_relative_canonical_is_resolved_with_base(base: str, expected: str) -> None:
    page = page_of(head(base, canonical("b")))
    assert severities(RULE, page) == ["notice"]
    assert page.canonical == expected


def test_several_relative_canonicals_are_one_finding() -> None:
    page = page_of(head(canonical("/a"), canonical("a")), "Link: </a>; rel=canonical")
    assert severities(RULE, page) == ["notice"]


def test_an_unusable_canonical_is_not_reported() -> None:
    assert severities(RULE, page_of(f"<body>{canonical('/a')}")) == []
    assert severities(RULE, page_of(head("<link rel=canonical href=/a media=print>"))) == []


def test_message() -> None:
    (finding,) = found(RULE, page_of(head(canonical("../a?b"))))
    assert finding.message == "declares the relative canonical '../a?b'"
    assert json.loads(finding.evidence or "") == {"href": "../a?b", "source": "tag"}
    assert finding.url == URL
