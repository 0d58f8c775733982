"""directives-conflict: positive and negative directives together; the restrictive one counts."""

import json

import pytest

from tests.pages.responses import URL, head, page_of
from tests.support.findings import found, severities

RULE = "directives-conflict"


def robots(content: str, name: str = "robots") -> str:
    return f'<meta name="{name}" content="{content}">'


@pytest.mark.parametrize(
    ("content", "positive", "negative"),
    [
        ("index, noindex", "index", "noindex"),
        ("noindex, index", "index", "noindex"),
        ("INDEX,NoIndex", "index", "noindex"),
        ("follow, nofollow", "follow", "nofollow"),
        ("index, follow, nofollow", "follow", "nofollow"),
        ("all, noindex", "all", "noindex"),
        ("all, nofollow", "all", "nofollow"),
        ("all, none", "all", "none"),
        ("index, none", "index", "none"),
        ("none, follow", "follow", "none"),
    ],
)
def test_a_conflict_is_reported(content: str, positive: str, negative: str) -> None:
    (finding,) = found(RULE, page_of(head(robots(content))))
    assert finding.severity == "warning"
    assert finding.message == f"says both {positive} and {negative}"
    assert finding.url == URL
    assert json.loads(finding.evidence or "") == {"positive": positive, "negative": negative}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "index",
        "index, follow",
        "all",
        "noindex, nofollow",
        "noindex, follow",
        "index, nofollow",
        "none",
        "none, noindex",
        "noindex, noindex",
        "noarchive, index",
        "nosnippet, max-snippet:20, all",
        "notranslate, noimageindex, follow",
        "indexing, noindex",
    ],
)
def test_consistent_directives_are_not_reported(content: str) -> None:
    assert severities(RULE, page_of(head(robots(content)))) == []


@pytest.mark.parametrize(
    ("elements", "lines", "expected"),
    [
        ([robots("index"), robots("noindex")], [], ["warning"]),
        ([robots("index")], ["X-Robots-Tag: noindex"], ["warning"]),
        ([robots("noindex")], ["X-Robots-Tag: all"], ["warning"]),
        ([], ["X-Robots-Tag: index", "X-Robots-Tag: none"], ["warning"]),
        ([robots("index")], ["X-Robots-Tag: *: noindex"], ["warning"]),
        ([robots("index")], ["X-Robots-Tag: nofollow"], []),
        ([robots("index"), robots("noindex", "googlebot")], [], []),
        ([robots("noindex"), robots("index", "googlebot")], [], []),
        ([robots("index")], ["X-Robots-Tag: googlebot: noindex"], []),
        ([robots("index", "googlebot"), robots("noindex", "googlebot")], [], ["warning"]),
        ([robots("index", "googlebot")], ["X-Robots-Tag: googlebot: noindex"], ["warning"]),
        ([robots("index")], ["X-Robots-Tag: otherbot: noindex"], []),
    ],
)
def test_places_and_agents(elements: list[str], lines: list[str], expected: list[str]) -> None:
    assert severities(RULE, page_of(head(*elements), *lines)) == expected


def test_two_conflicts_for_the_same_agent_are_one_finding() -> None:
    page = page_of(head(robots("index, noindex, follow, nofollow")))
    assert severities(RULE, page) == ["warning"]


def test_the_restrictive_directive_counts() -> None:
    assert page_of(head(robots("noindex, index"))).noindex is True
    assert page_of(head(robots("index")), "X-Robots-Tag: none").noindex is True
