"""canonical-missing: HTML that returns 200 without a usable canonical in head or header."""

import pytest

from tests.pages.responses import URL, canonical, head, page_of
from tests.support.findings import found, severities

RULE = "canonical-missing"


@pytest.mark.parametrize(
    ("elements", "lines", "expected"),
    [
        ([], [], ["notice"]),
        ([canonical("/a")], [], []),
        ([canonical("/b")], [], []),
        ([], ["Link: </a>; rel=canonical"], []),
        ([], ["Link: </a>; rel=alternate"], ["notice"]),
        ([canonical("/b"), canonical("/c")], [], []),
        ([canonical("")], [], ["notice"]),
        ([canonical("ftp://www.example.com/a")], [], ["notice"]),
        (["<link rel=canonical href=/a hreflang=en>"], [], ["notice"]),
        (["<link rel=canonical hreflang=en href=/a>", canonical("/a")], [], []),
        ([canonical("/a#part")], [], []),
        (["<div></div>", canonical("/a")], [], ["notice"]),
        (["<div></div>", canonical("/a")], ["Link: </a>; rel=canonical"], []),
        ([f"<template>{canonical('/a')}</template>"], [], ["notice"]),
        ([f"<!--{canonical('/a')}-->"], [], ["notice"]),
    ],
)
def test_canonicals(elements: list[str], lines: list[str], expected: list[str]) -> None:
    assert severities(RULE, page_of(head(*elements), *lines)) == expected


@pytest.mark.parametrize(
    ("status", "expected"),
    [(200, ["notice"]), (204, []), (300, []), (301, []), (304, []), (404, []), (500, [])],
)
def test_status(status: int, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(), status=status)) == expected


@pytest.mark.parametrize(
    ("media", "expected"),
    [
        ("text/html", ["notice"]),
        ("TEXT/HTML; charset=utf-8", ["notice"]),
        ("application/xhtml+xml", ["notice"]),
        ("application/pdf", []),
        ("text/plain", []),
        (None, ["notice"]),
    ],
)
def test_media_type(media: str | None, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(), media=media)) == expected


def test_a_body_that_may_not_be_html_is_not_reported() -> None:
    assert severities(RULE, page_of("text", media=None)) == []


def test_an_empty_body_is_not_reported() -> None:
    assert severities(RULE, page_of("")) == []


def test_message() -> None:
    (finding,) = found(RULE, page_of(head()))
    assert (finding.message, finding.url) == ("declares no usable canonical", URL)
