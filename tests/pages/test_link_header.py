"""The HTTP Link header, by the grammar and the algorithm of RFC 8288."""

import pytest

from sitemapaudit.pages.link_header import Link, read_links
from tests.support.effort import cpu_limit


def targets_of(*lines: str) -> list[str]:
    return [link.target for link in read_links(list(lines))]


def read_link(line: str) -> Link:
    (link,) = read_links([line])
    return link


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], []),
        ([""], []),
        (["   "], []),
        (["<a>"], ["a"]),
        (["<a>, <b>"], ["a", "b"]),
        (["<a>,<b>,<c>"], ["a", "b", "c"]),
        (["<a>; rel=next , <b> ;rel=prev"], ["a", "b"]),
        (["<a>", "<b>"], ["a", "b"]),
        (["", "<b>"], ["b"]),
        (["<>"], [""]),
        (["< a >"], ["a"]),
        (["<a,b>; rel=x, <c>"], ["a,b", "c"]),
        (["<a;b=c>; rel=x"], ["a;b=c"]),
        (['<a>; title="b, <c>; rel=x", <d>'], ["a", "d"]),
        (['<a>; title="\\", <b>", <c>'], ["a", "c"]),
        (["<a>, , <b>"], ["a", "b"]),
        ([",<a>,"], ["a"]),
        (["<a>;, <b>"], ["a", "b"]),
        (["<https://www.example.com/?a=1&b=2>; rel=canonical"], [
            "https://www.example.com/?a=1&b=2"
        ]),
    ],
)  # fmt: skip
def test_targets(lines: list[str], expected: list[str]) -> None:
    assert targets_of(*lines) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("<a>", []),
        ("<a>; rel", []),
        ("<a>; rel=", []),
        ("<a>; rel=canonical", ["canonical"]),
        ('<a>; rel="canonical"', ["canonical"]),
        ("<a>;rel=canonical", ["canonical"]),
        ("<a> ; rel = canonical ", ["canonical"]),
        ('<a>; rel="next canonical"', ["next", "canonical"]),
        ('<a>; rel="  next \t canonical "', ["next", "canonical"]),
        ("<a>; REL=Canonical", ["canonical"]),
        ('<a>; Rel="CANONICAL"', ["canonical"]),
        ('<a>; rel="http://example.com/rel#x"', ["http://example.com/rel#x"]),
        ("<a>; rel=http://example.com/rel", ["http://example.com/rel"]),
        ("<a>; rel=canonical; rel=next", ["canonical"]),
        ("<a>; rel=next; rel=canonical", ["next"]),
        ("<a>; xrel=canonical", []),
        ("<a>; rev=canonical", []),
        ('<a>; title="; rel=canonical"', []),
        ('<a>; title="x"; rel=canonical', ["canonical"]),
        ("<a>; crossorigin; rel=canonical", ["canonical"]),
        ("<a>; ; rel=canonical", ["canonical"]),
        ("<a>;;; rel=canonical", ["canonical"]),
        ("<a>; title*=UTF-8''b%2C; rel=canonical", ["canonical"]),
        ('<a>; rel="canon\\ical"', ["canonical"]),
        ("<a>\t;\trel=canonical", ["canonical"]),
        ('<a>; rel="canonical', ["canonical"]),
    ],
)
def test_relations(line: str, expected: list[str]) -> None:
    assert read_link(line).relations == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('<a>; title="b \\"c\\" \\\\ d"', {"title": 'b "c" \\ d'}),
        ('<a>; title=""', {"title": ""}),
        ("<a>; Media=print; HREFLANG=de-AT", {"media": "print", "hreflang": "de-AT"}),
        ("<a>; hreflang=de; hreflang=en", {"hreflang": "de"}),
        ("<a>; async", {"async": ""}),
        ('<a>; media="screen, print"', {"media": "screen, print"}),
    ],
)
def test_parameters(line: str, expected: dict[str, str]) -> None:
    assert read_link(line).parameters == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a"], []),
        (["a; rel=canonical"], []),
        (['"<a>"'], []),
        (["<a"], []),
        (["<"], []),
        ([">"], []),
        (["<a> junk, <b>"], ["a"]),
        (["<a>; rel=x, b, <c>"], ["a"]),
        (["junk", "<b>"], ["b"]),
        (["<a>, <b"], ["a"]),
    ],
)
def test_a_syntax_error_ends_its_line(lines: list[str], expected: list[str]) -> None:
    assert targets_of(*lines) == expected


@pytest.mark.parametrize("anchor", ['"#part"', '"/other"', "https://other.example/"])
def test_a_link_with_an_anchor_is_ignored(anchor: str) -> None:
    line = f"<a>; rel=canonical; anchor={anchor}, <b>; rel=canonical"
    assert targets_of(line) == ["b"]


@pytest.mark.parametrize(
    "line",
    [
        "<" * 50_000,
        "<a>;" * 10_000,
        "<a>" + " " * 50_000 + "x",
        "<a>;" + " " * 50_000 + "x",
        '<a>; rel="' + "\\" * 50_000,
        "," * 50_000 + "x",
        "<a>; " + "a" * 50_000 + " " * 50_000,
    ],
)
def test_hostile_lines_take_little_time(line: str) -> None:
    with cpu_limit():
        assert len(targets_of(line)) <= 1
