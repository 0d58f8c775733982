"""image-invalid: an image whose loc is missing or is not an absolute, valid URL."""

import json

import pytest

from sitemapaudit.items import Entry, Image, Kind
from tests.rules.entry.extended import entry_of, image
from tests.rules.sitemap.files import PAGE
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

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


def test_no_finding_without_images() -> None:
    assert severities(RULE, entry_of()) == []


def test_each_image_is_checked() -> None:
    findings = found(RULE, entry_of(image("a.jpg"), image(), image(None)))
    assert [finding.message for finding in findings] == [
        "image 1 has the loc 'a.jpg', which is not an absolute URL",
        "image 3 has no loc",
    ]


@pytest.mark.parametrize(
    ("loc", "problem"),
    [
        ("ftp://a/b", "its scheme is not http or https"),
        ("https://a/%x", "'%x' is not valid percent-encoding"),
    ],
)
def test_message_contains_the_problem(loc: str, problem: str) -> None:
    (finding,) = found(RULE, entry_of(image(loc)))
    assert finding.message == f"image 1 has the loc {loc!r}, which is not a valid URL: {problem}"


def test_evidence_and_place() -> None:
    row = Entry(SITEMAP, 7, Kind.URLSET, PAGE, PAGE, images=[Image(loc=" a.jpg ")])
    (finding,) = found(RULE, row)
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 7)
    assert json.loads(finding.evidence or "")["loc"] == " a.jpg "
