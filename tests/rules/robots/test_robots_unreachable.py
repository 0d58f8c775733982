"""robots-unreachable: robots.txt returns 500 to 599 or 429, or the request fails."""

import json

import pytest

from sitemapaudit.items import Error
from tests.rules.robots.files import ROBOTS, robots
from tests.support import found, severities


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, []),
        (304, []),
        (400, []),
        (401, []),
        (403, []),
        (404, []),
        (428, []),
        (429, ["error"]),
        (430, []),
        (499, []),
        (500, ["error"]),
        (503, ["error"]),
        (599, ["error"]),
    ],
)
def test_status(status: int, expected: list[str]) -> None:
    assert severities("robots-unreachable", robots(status=status)) == expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (Error.DNS, ["error"]),
        (Error.REFUSED, ["error"]),
        (Error.RESET, ["error"]),
        (Error.TLS, ["error"]),
        (Error.TIMEOUT, ["error"]),
        (Error.TRUNCATED, ["error"]),
        (Error.INVALID_HTTP, ["error"]),
        (Error.INTERNAL, []),
    ],
)
def test_failed_request(error: Error, expected: list[str]) -> None:
    assert severities("robots-unreachable", robots(status=None, error=error)) == expected


@pytest.mark.parametrize(
    "error", [Error.TOO_MANY_REDIRECTS, Error.REDIRECT_LOOP, Error.REDIRECT_INVALID]
)
def test_failed_redirects_are_not_reported(error: Error) -> None:
    assert severities("robots-unreachable", robots(status=301, error=error)) == []


def test_a_body_that_cannot_be_decoded_is_the_only_finding() -> None:
    row = robots("User-agent: *", encoding="br")
    (finding,) = found("robots-unreachable", row)
    assert finding.message == (
        "could not be decoded (the brotli data is invalid); "
        "crawlers then treat everything as disallowed"
    )
    rules = ("robots-no-sitemap-line", "robots-missing")
    assert [severities(rule, row) for rule in rules] == [[], []]


@pytest.mark.parametrize(("status", "error"), [(503, None), (None, Error.DNS)])
def test_other_hosts_are_not_audited(status: int | None, error: Error | None) -> None:
    row = robots(status=status, error=error, audited=False)
    assert severities("robots-unreachable", row) == []


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
