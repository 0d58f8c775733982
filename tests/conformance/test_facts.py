"""Facts are compared by their meaning, and fairly: programs write them in different ways."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from tests.conformance.cases import read_cases
from tests.conformance.facts import differences

A, B = "http://other.example/a", "http://other.example/b"
MOMENT = "2024-03-05T06:07:08Z"
LATER = timezone(timedelta(hours=2))

EQUAL: list[tuple[str, Any, Any]] = [
    ("urls", [A, B], [B, A, A]),
    ("urls", ["http://other.example/caf%C3%A9"], ["HTTP://Other.Example:80/café#top"]),
    ("urls", ["http://other.example/~a%2F"], ["http://other.example/%7ea%2f"]),
    ("urls", [], None),
    ("url_count", 2, [A, B, B]),
    ("lastmod", {A: MOMENT}, {A: datetime(2024, 3, 5, 6, 7, 8, tzinfo=UTC)}),
    (
        "lastmod",
        {A: MOMENT},
        {A: datetime(2024, 3, 5, 8, 7, 8, tzinfo=timezone(timedelta(hours=2)))},
    ),
    ("lastmod", {A: MOMENT}, {A: "2024-03-05 06:07:08"}),
    ("lastmod", {A: MOMENT}, {A: "Tue, 05 Mar 2024 06:07:08 GMT"}),
    ("lastmod", {A: "2024-03-01T00:00:00Z"}, {A: "2024-03"}),
    ("lastmod", {A: "none"}, {A: "yesterday"}),
    ("lastmod", {A: "none"}, {B: MOMENT}),
    ("priority", {A: 1.0}, {A: "1"}),
    ("images", {A: [B]}, {A: [B], B: [A]}),
    ("image_count", {A: 1}, {A: [B]}),
    ("videos", {A: [{"title": "x"}]}, {A: [{"title": " x ", "duration": "1"}]}),
    ("news", {A: {"published": MOMENT}}, {A: {"published": "2024-03-05T06:07:08+00:00"}}),
    ("alternates", {A: {"en-gb": B}}, {A: {"en-GB": B}}),
    ("alternates", {"en-gb": B}, {"en-GB": B}),
    ("alternates", {}, None),
    ("canonical", "none", None),
    ("noindex", False, None),
]
DIFFERENT: list[tuple[str, Any, Any]] = [
    ("urls", [A], [A, B]),
    ("urls", ["http://other.example/a%2Fb"], ["http://other.example/a/b"]),
    ("urls", ["http://other.example/?a=1&b=2"], ["http://other.example/?a=1=2"]),
    ("url_count", 2, [A]),
    ("lastmod", {A: MOMENT}, {A: "2024-03-05T06:07:08+01:00"}),
    ("lastmod", {A: "none"}, {A: MOMENT}),
    ("priority", {A: 0.5}, {A: None}),
    ("images", {A: [A, B]}, {A: [B]}),
    ("videos", {A: [{"title": "x"}]}, {A: [{"title": "x"}, {"title": "y"}]}),
    ("alternates", {A: {"en": B}}, {A: {"en": B, "de": A}}),
    ("canonical", A, None),
    ("canonical", "none", A),
    ("noindex", True, None),
]


def compare(name: str, expected: Any, found: Any) -> list[str] | None:
    told = {"url_count": "urls", "image_count": "images"}.get(name, name)
    return differences({name: expected}, {told: found}, [told])


@pytest.mark.parametrize(("name", "expected", "found"), EQUAL)
def test_equal_facts_pass(name: str, expected: Any, found: Any) -> None:
    assert compare(name, expected, found) == []


@pytest.mark.parametrize(("name", "expected", "found"), DIFFERENT)
def test_different_facts_fail(name: str, expected: Any, found: Any) -> None:
    assert compare(name, expected, found)


def test_a_program_is_compared_by_the_facts_that_it_reports() -> None:
    expected = {"urls": [A], "lastmod": {A: MOMENT}}
    assert differences(expected, {"urls": [A]}, ["urls"]) == []
    assert differences(expected, {}, ["images"]) is None


def test_a_file_can_have_an_exact_size() -> None:
    """A gzip file is made of the same bytes at any time."""
    case = next(case for case in read_cases("limits") if case.id == "limits-2047-characters")
    (listed,) = (url for url in case.acceptable("http://a.example")[0]["urls"] if "x" * 9 in url)
    assert len(listed) == 2047
    assert listed.encode() in case.replies("http://a.example")["/sitemap.xml"].body
