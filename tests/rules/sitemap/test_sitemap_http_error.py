"""sitemap-http-error: the final status is 400 or above, or a 3xx that leads nowhere."""

import json

import pytest

from sitemapaudit.items import Error
from tests.rules.sitemap.files import read, response, rules_on, url, urlset
from tests.support import SITEMAP, found, severities


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, []),
        (204, []),
        (206, []),
        (299, []),
        (400, ["error"]),
        (401, []),
        (402, ["error"]),
        (403, []),
        (404, ["error"]),
        (407, ["error"]),
        (410, ["error"]),
        (428, ["error"]),
        (429, []),
        (430, ["error"]),
        (499, ["error"]),
        (500, ["error"]),
        (503, ["error"]),
        (599, ["error"]),
        (600, ["error"]),
        (999, ["error"]),
    ],
)
def test_status(status: int, expected: list[str]) -> None:
    assert severities("sitemap-http-error", read(response(urlset(url()), status))) == expected


@pytest.mark.parametrize("status", [300, 304, 305, 306])
def test_a_3xx_that_is_not_a_redirect(status: int) -> None:
    assert severities("sitemap-http-error", read(response(status=status))) == ["error"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (Error.REDIRECT_INVALID, ["error"]),
        (Error.REDIRECT_LOOP, []),
        (Error.TOO_MANY_REDIRECTS, []),
        (Error.BLOCKED, []),
    ],
)
def test_a_redirect_that_leads_nowhere(status: int, error: Error, expected: list[str]) -> None:
    assert severities("sitemap-http-error", read(response(status=status, error=error))) == expected


@pytest.mark.parametrize("error", [Error.DNS, Error.TIMEOUT, Error.BLOCKED, Error.LIMIT])
def test_a_failed_request_is_not_reported(error: Error) -> None:
    assert severities("sitemap-http-error", read(response(status=None, error=error))) == []


@pytest.mark.parametrize("body", ["", "<!doctype html><title>Gone</title>", "{}", "<urlset/>"])
def test_the_body_of_an_error_is_not_checked(body: str) -> None:
    assert rules_on(read(response(body, 404))) == ["sitemap-http-error"]


def test_message_and_evidence() -> None:
    (finding,) = found("sitemap-http-error", read(response(status=503, retries=2)))
    assert finding.message == "returns 503"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
    assert json.loads(finding.evidence or "") == {"status": 503, "retries": 2}
