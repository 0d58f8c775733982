"""robots-unreachable: robots.txt returns 500 to 599 or 429, or the request fails."""

import json

import pytest

from sitemapaudit.items import Error
from tests.rules.robots.files import ROBOTS, robots
from tests.support.findings import found, severities


@pytest.mark.parametrize(
    "error", [Error.TOO_MANY_REDIRECTS, Error.REDIRECT_LOOP, Error.REDIRECT_INVALID]
)
def test_failed_redirects_are_not_reported(error: Error) -> None:
    assert severities("robots-unreachable", robots(status=301, error=error)) == []


@pytest.mark.parametrize("error", [Error.PRIVATE_ADDRESS, Error.IGNORED])
def test_what_was_not_requested_is_not_reported(error: Error) -> None:
    assert severities("robots-unreachable", robots(status=None, error=error)) == []


def test_a_body_that_cannot_be_decoded_is_the_only_finding() -> None:
    row = robots("User-agent: *", encoding="br")
    (finding,) = found("robots-unreachable", row)
    assert finding.message == (
        "could not be decoded (the brotli data is invalid); "
        "crawlers then treat everything as disallowed"
    )
    rules = ("robots-no-sitemap-line", "robots-missing")
    assert [severities(rule, row) for rule in rules] == [[], []]


def test_message_contains_the_status() -> None:
    (finding,) = found("robots-unreachable", robots(status=503))
    assert finding.message == "returns 503; crawlers then treat everything as disallowed"
    assert (finding.url, finding.sitemap, finding.position) == (ROBOTS, None, None)


def test_message_and_evidence_contain_the_error() -> None:
    row = robots(status=None, error=Error.TIMEOUT, detail="30 seconds")
    (finding,) = found("robots-unreachable", row)
    assert finding.message.startswith("could not be fetched (timeout); ")
    assert json.loads(finding.evidence or "") == {
        "problem": "could not be fetched (timeout)",
        "error": "timeout",
        "detail": "30 seconds",
    }
