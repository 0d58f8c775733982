"""canonical-header-conflict: the Link header and the tag declare different canonicals."""

import pytest

from tests.pages.responses import SITE, URL, canonical, head, page_of
from tests.support.findings import found, severities

RULE = "canonical-header-conflict"


@pytest.mark.parametrize(
    "link",
    [
        "</c>; rel=canonical",
        '</c>; rel="canonical"',
        '</c>; REL="CANONICAL"',
        '</c> ; rel = "canonical"',
        '</c>; rel="alternate canonical"',
        '</c>; title="b; rel=alternate"; rel=canonical',
        "<https://www.example.com/c,d>; rel=canonical",
        '</x>; rel=preload; as=script, </c>; rel="canonical"',
        "<http://www.example.com/b>; rel=canonical",
        "</b/>; rel=canonical",
    ],
)
def test_a_different_target_is_reported(link: str) -> None:
    assert severities(RULE, page_of(head(canonical("/b")), f"Link: {link}")) == ["error"]


@pytest.mark.parametrize(
    "link",
    [
        "</b>; rel=canonical",
        "<b>; rel=canonical",
        "<HTTPS://WWW.example.com:443/%62>; rel=canonical",
        "</b#part>; rel=canonical",
        "</c>; rel=alternate",
        "</c>; rel=shortlink; rel=canonical",
        '</c>; title="x; rel=canonical"',
        "<mailto:c@example.com>; rel=canonical",
        "</c>; rel=canonical; media=print",
        '</c>; rel=canonical; anchor="/other"',
        "/c; rel=canonical",
        "",
    ],
)
def test_the_same_target_or_no_usable_canonical_is_not_reported(link: str) -> None:
    assert severities(RULE, page_of(head(canonical("/b")), f"Link: {link}")) == []


def test_every_header_line_is_read() -> None:
    lines = ["Link: </style.css>; rel=preload", "Link: </c>; rel=canonical"]
    assert severities(RULE, page_of(head(canonical("/b")), *lines)) == ["error"]


@pytest.mark.parametrize(("link", "expected"), [("<b>", ["error"]), ("</x/b>", [])])
def test_base_applies_only_to_the_tag(link: str, expected: list[str]) -> None:
    body = head("<base href=/x/>", canonical("b"))
    assert severities(RULE, page_of(body, f"Link: {link}; rel=canonical")) == expected


@pytest.mark.parametrize(
    "body",
    [
        head(),
        head(canonical("")),
        head("<div></div>", canonical("/b")),
        head("<link rel=canonical href=/b type=text/html>"),
    ],
)
def test_nothing_is_reported_without_a_usable_tag(body: str) -> None:
    assert severities(RULE, page_of(body, "Link: </c>; rel=canonical")) == []


def test_message_contains_both_canonicals() -> None:
    (finding,) = found(RULE, page_of(head(canonical("/b")), "Link: </c>; rel=canonical"))
    assert (
        finding.message == f"declares the canonical {SITE}/b in a tag and {SITE}/c in a Link header"
    )
    assert finding.url == URL
    assert finding.cause == "declare different canonicals in a tag and in a Link header"


@pytest.mark.parametrize(
    ("tags", "headers", "expected"),
    [
        (["/b", "/c"], ["/b"], [("/c", "/b")]),
        (["/c", "/b"], ["/b"], [("/c", "/b")]),
        (["/b"], ["/b", "/c"], [("/b", "/c")]),
        (["/b", "/c"], ["/b", "/c"], [("/b", "/c")]),
        (["/b", "/b"], ["/b", "/b"], []),
        (["/b", ""], ["/b", "tel:1"], []),
        (["/b", "/c"], [], []),
        ([], ["/b", "/c"], []),
    ],
)
def test_the_first_pair_that_differs_is_reported(
    tags: list[str], headers: list[str], expected: list[tuple[str, str]]
) -> None:
    lines = [f"Link: <{header}>; rel=canonical" for header in headers]
    page = page_of(head(*map(canonical, tags)), *lines)
    assert [finding.message for finding in found(RULE, page)] == [
        f"declares the canonical {SITE}{tag} in a tag and {SITE}{header} in a Link header"
        for tag, header in expected
    ]
