"""image-invalid: an image without a loc, or with one that is no full, valid address."""

import json

import pytest

from sitemapaudit.items import Entry, Image, Kind
from tests.rules.entry.extended import entry_of, image
from tests.rules.sitemap.files import PAGE
from tests.support import SITEMAP, found, severities

RULE = "image-invalid"


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        ("https://www.example.com/a.jpg", []),
        ("http://cdn.example.net:8080/a.jpg?w=1&amp;h=2", []),
        ("HTTPS://cdn.example.net/ä.jpg", []),
        ("\n  https://cdn.example.net/a.jpg\n", []),
        (PAGE, []),
        (None, ["error"]),
        ("", ["error"]),
        (" \n ", ["error"]),
        ("/a.jpg", ["error"]),
        ("a.jpg", ["error"]),
        ("//cdn.example.net/a.jpg", ["error"]),
        ("cdn.example.net/a.jpg", ["error"]),
        ("cdn.example.net:8080/a.jpg", ["error"]),
        ("https:/a.jpg", ["error"]),
        ("ftp://cdn.example.net/a.jpg", ["error"]),
        ("data:image/png;base64,AAAA", ["error"]),
        ("https://cdn.example.net/a b.jpg", ["error"]),
        ("https://cdn.example.net/50%.jpg", ["error"]),
        ("https://me@cdn.example.net/a.jpg", ["error"]),
        ("https://cdn example.net/a.jpg", ["error"]),
        ("https://cdn.example.net:99999/a.jpg", ["error"]),
    ],
)
def test_loc(loc: str | None, expected: list[str]) -> None:
    assert severities(RULE, entry_of(image(loc))) == expected


def test_silent_without_images() -> None:
    assert severities(RULE, entry_of()) == []


def test_each_image_is_judged_by_itself() -> None:
    findings = found(RULE, entry_of(image("a.jpg"), image(), image(None)))
    assert [finding.message for finding in findings] == [
        "image 1: its loc 'a.jpg' is not a full address",
        "image 3: it has no loc",
    ]


@pytest.mark.parametrize(
    ("loc", "message"),
    [
        ("ftp://a/b", "its loc 'ftp://a/b' is no valid URL: its scheme is not http or https"),
        ("https://a/%x", "its loc 'https://a/%x' is no valid URL: '%x' is no percent triplet"),
    ],
)
def test_message_says_why(loc: str, message: str) -> None:
    (finding,) = found(RULE, entry_of(image(loc)))
    assert finding.message == f"image 1: {message}"


def test_evidence_and_place() -> None:
    row = Entry(SITEMAP, 7, Kind.URLSET, PAGE, PAGE, images=[Image(loc=" a.jpg ")])
    (finding,) = found(RULE, row)
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 7)
    assert json.loads(finding.evidence or "")["loc"] == " a.jpg "
