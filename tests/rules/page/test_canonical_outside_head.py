"""canonical-outside-head: the only usable canonical tag is after the end of the parsed head."""

import pytest

from tests.pages.responses import SITE, URL, canonical, head, page_of
from tests.support.findings import found, severities

RULE = "canonical-outside-head"
TAG = canonical(URL)


@pytest.mark.parametrize(
    "element",
    [
        "<title>A</title>",
        "<meta charset=utf-8>",
        "<link rel=icon href=/i>",
        "<script>var a = '<p>';</script>",
        "<style>p {}</style>",
        "<base href=/>",
        "<noscript></noscript>",
        "<noscript><style></style></noscript>",
        '<noscript><img src="https://tracker.example/p.gif"></noscript>',
        "<noscript><iframe src=/x></iframe></noscript>",
        "<template><p>x</p></template>",
        "<!-- <p> -->",
        "\n\t",
    ],
)
def test_elements_that_may_be_in_the_head_do_not_end_it(element: str) -> None:
    page = page_of(head(element, TAG))
    assert severities(RULE, page) == []
    assert page.canonical == URL


@pytest.mark.parametrize(
    "element",
    [
        "<p>",
        "<div></div>",
        "<img src=/p.gif>",
        "<iframe></iframe>",
        "<a href=/>x</a>",
        "<h1>x</h1>",
        "<svg></svg>",
        "<custom-tag></custom-tag>",
        "<form></form>",
        "text",
        "<body>",
        "</br>",
    ],
)
def test_other_content_ends_the_head(element: str) -> None:
    page = page_of(head(element, TAG))
    assert severities(RULE, page) == ["error"]
    assert page.canonical is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (TAG, []),
        (f"<html><body>{TAG}", ["error"]),
        (f"<head></head>{TAG}<body>", []),
        (f"<head></head><body>{TAG}", ["error"]),
        (f"<head></head><p>{TAG}", ["error"]),
        (f"<body></body></html>{TAG}", ["error"]),
        (f"<head>{TAG}</head><body>{TAG}", []),
        (f"<body>{TAG}{TAG}", ["error"]),
        (f"<body><svg>{TAG}</svg>", ["error"]),
        (f"<body><template>{TAG}</template>", []),
        ("<body><link rel=next href=/b>", []),
        ("<body><a rel=canonical href=/b>x</a>", []),
    ],
)
def test_the_parsed_position_counts(body: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(body)) == expected


def test_an_unusable_canonical_in_the_head_changes_nothing() -> None:
    assert severities(RULE, page_of(f"{canonical('')}<body>{TAG}")) == ["error"]


def test_message() -> None:
    (finding,) = found(RULE, page_of(f"<body>{canonical('/b')}"))
    assert finding.message == "declares the canonical '/b' outside the head"
    assert finding.url == URL == f"{SITE}/a"
