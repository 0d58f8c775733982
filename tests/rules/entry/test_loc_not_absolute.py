"""loc-not-absolute: a loc without a scheme or without a host."""

import pytest

from tests.rules.sitemap.files import entries_of, index, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

LOCS = [
    ("/a", ["error"]),
    ("a", ["error"]),
    ("a.html", ["error"]),
    ("./a", ["error"]),
    ("../a", ["error"]),
    ("?page=2", ["error"]),
    ("#top", ["error"]),
    ("//www.example.com/a", ["error"]),
    ("www.example.com/a", ["error"]),
    ("www.example.com:8080/a", ["error"]),
    ("www.example.com:8080", ["error"]),
    ("localhost:8080?a", ["error"]),
    ("localhost:1#a", ["error"]),
    ("://www.example.com/a", ["error"]),
    ("https:", ["error"]),
    ("https://", ["error"]),
    ("https:/a", ["error"]),
    ("https:///a", ["error"]),
    ("https:a", ["error"]),
    ("https://?page=2", ["error"]),
    ("https://#top", ["error"]),
    ("https://www.example.com", []),
    ("https://www.example.com/a", []),
    ("http://www.example.com/a", []),
    ("HTTPS://WWW.EXAMPLE.COM/A", []),
    ("https://www.example.com:8443/a", []),
    ("https://www.example.com?page=2", []),
    ("https://[2001:db8::1]/a", []),
    ("https://bücher.example/a", []),
    ("https://localhost/a", []),
    ("https://www.example.com:8080", []),
    ("urn:1:2", []),
    ("mailto:1@example.com", []),
    ("\u00a0https://www.example.com/", ["error"]),
]


@pytest.mark.parametrize(("loc", "expected"), LOCS)
def test_loc_of_a_url(loc: str, expected: list[str]) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities("loc-not-absolute", entry) == expected


@pytest.mark.parametrize(("loc", "expected"), LOCS)
def test_loc_of_a_child_of_an_index(loc: str, expected: list[str]) -> None:
    (entry,) = entries_of(index(loc))
    assert severities("loc-not-absolute", entry) == expected


@pytest.mark.parametrize(
    ("loc", "expected"), [("\n https://www.example.com/a\n", []), ("\n /a\n", ["error"])]
)
def test_the_loc_is_trimmed(loc: str, expected: list[str]) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities("loc-not-absolute", entry) == expected


@pytest.mark.parametrize("loc", ["", " \n"])
def test_an_empty_loc_is_not_reported(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities("loc-not-absolute", entry) == []


@pytest.mark.parametrize(
    "loc", ["mailto:a@example.com", "file:///etc/passwd", "ftp://a/b", "a.example:80/"]
)
def test_another_scheme_is_one_finding(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    both = [*found("loc-not-absolute", entry), *found("loc-invalid", entry)]
    assert [finding.severity for finding in both] == ["error"]


def test_message_and_place() -> None:
    _, entry = entries_of(urlset(url(), url(" /a ")))
    (finding,) = found("loc-not-absolute", entry)
    assert finding.message == "loc ' /a ' is not an absolute URL"
    assert (finding.url, finding.sitemap, finding.position) == (None, SITEMAP, 2)
