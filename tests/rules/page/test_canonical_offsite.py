"""canonical-offsite: the canonical is on another host; from https to http is an error."""

import pytest

from tests.pages.responses import URL, canonical, head, page_of
from tests.support.findings import found, severities

RULE = "canonical-offsite"
HTTP = "http://www.example.com/a"


@pytest.mark.parametrize(
    ("at", "href", "expected"),
    [
        (URL, "https://www.example.com/b", []),
        (URL, "https://WWW.Example.COM/b", []),
        (URL, "https://www.example.com:8443/a", []),
        (URL, "https://example.com/a", ["warning"]),
        (URL, "https://shop.www.example.com/a", ["warning"]),
        (URL, "https://other.example/a", ["warning"]),
        (URL, "https://www.example.com./a", ["warning"]),
        (URL, "http://www.example.com/a", ["error"]),
        (URL, "http://other.example/a", ["error"]),
        (HTTP, "https://www.example.com/a", []),
        (HTTP, "http://www.example.com/b", []),
        (HTTP, "http://other.example/a", ["warning"]),
        (HTTP, "https://other.example/a", ["warning"]),
        ("https://xn--bcher-kva.example/", "https://bücher.example/", []),
        ("http://[::1]/", "http://[0:0::1]/b", []),
        ("http://[::1]/", "http://[::2]/", ["warning"]),
    ],
)
def test_host_and_scheme(at: str, href: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(canonical(href)), at=at)) == expected


@pytest.mark.parametrize(
    "body",
    [
        head(),
        head(canonical("https://b.example/"), canonical("https://c.example/")),
        head("<link rel=canonical href=https://b.example/ media=print>"),
        f"<body>{canonical('https://b.example/')}",
    ],
)
def test_nothing_is_reported_without_a_usable_canonical(body: str) -> None:
    assert severities(RULE, page_of(body)) == []


def test_a_canonical_in_the_header_is_reported() -> None:
    page = page_of(head(), "Link: <http://www.example.com/a>; rel=canonical")
    assert severities(RULE, page) == ["error"]


@pytest.mark.parametrize(
    ("href", "problem"),
    [
        ("https://other.example/a", "another host"),
        ("http://other.example/a", "from https to http"),
    ],
)
def test_message(href: str, problem: str) -> None:
    (finding,) = found(RULE, page_of(head(canonical(href))))
    assert finding.message == f"is canonicalized to {href} ({problem})"
    assert finding.url == URL
