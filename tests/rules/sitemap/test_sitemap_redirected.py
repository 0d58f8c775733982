"""sitemap-redirected: redirects precede the file; more than ten, or a loop, are an error."""

import json

import pytest

from sitemapaudit.items import Error, Sitemap
from tests.rules.sitemap.files import read, response, url, urlset
from tests.support.findings import found, severities

OLD = "https://www.example.com/old.xml"
NEW = "https://www.example.com/new.xml"


def moved(
    hops: int, status: int | None = 200, error: Error | None = None, final: str = NEW
) -> Sitemap:
    final_response = response(urlset(url()), status, at=final, error=error)
    return read(final_response, Sitemap(OLD, hops=hops))


@pytest.mark.parametrize(
    ("hops", "expected"),
    [
        (0, []),
        (1, ["notice"]),
        (2, ["notice"]),
        (10, ["notice"]),
        (11, ["error"]),
        (20, ["error"]),
    ],
)
def test_hops(hops: int, expected: list[str]) -> None:
    assert severities("sitemap-redirected", moved(hops)) == expected


@pytest.mark.parametrize("hops", [0, 1, 5])
def test_a_loop_is_an_error_however_short(hops: int) -> None:
    row = moved(hops, 302, Error.REDIRECT_LOOP)
    assert severities("sitemap-redirected", row) == ["error"]


def test_endless_redirects_are_one_error() -> None:
    row = moved(20, 302, Error.TOO_MANY_REDIRECTS)
    assert severities("sitemap-redirected", row) == ["error"]


def test_message_names_the_final_url() -> None:
    (finding,) = found("sitemap-redirected", moved(2))
    assert finding.message == f"redirects to {NEW}"
    assert (finding.url, finding.sitemap) == (None, OLD)
    assert json.loads(finding.evidence or "")["hops"] == 2


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (moved(11), "redirects 11 times"),
        (moved(1, 302, Error.REDIRECT_LOOP), "redirects in a loop"),
    ],
)
def test_message_of_an_error(row: Sitemap, message: str) -> None:
    (finding,) = found("sitemap-redirected", row)
    assert finding.message == message
    assert finding.sitemap == OLD
    assert json.loads(finding.evidence or "")["hops"] == row.hops
