"""robots-unreachable: robots.txt answers 500 to 599 or 429, or the network fails."""

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
def test_no_answer(error: Error, expected: list[str]) -> None:
    assert severities("robots-unreachable", robots(status=None, error=error)) == expected


@pytest.mark.parametrize(
    "error", [Error.TOO_MANY_REDIRECTS, Error.REDIRECT_LOOP, Error.REDIRECT_INVALID]
)
def test_redirects_that_lead_nowhere_make_it_unavailable(error: Error) -> None:
    assert severities("robots-unreachable", robots(status=301, error=error)) == []


def test_what_cannot_be_decoded_is_no_answer_either() -> None:
    row = robots("User-agent: *", encoding="br")
    (finding,) = found("robots-unreachable", row)
    assert finding.message == (
        "cannot be decoded (the brotli data is invalid): "
        "crawlers then take everything as disallowed"
    )
    rules = ("robots-no-sitemap-line", "robots-missing")
    assert [severities(rule, row) for rule in rules] == [[], []]


@pytest.mark.parametrize(("status", "error"), [(503, None), (None, Error.DNS)])
def test_other_hosts_are_not_judged(status: int | None, error: Error | None) -> None:
    row = robots(status=status, error=error, judged=False)
    assert severities("robots-unreachable", row) == []


def test_message_names_the_status() -> None:
    (finding,) = found("robots-unreachable", robots(status=503))
    assert finding.message == "answers 503: crawlers then take everything as disallowed"
    assert (finding.url, finding.sitemap, finding.position) == (ROBOTS, None, None)


def test_message_and_evidence_name_what_failed() -> None:
    row = robots(status=None, error=Error.TIMEOUT, detail="30 seconds")
    (finding,) = found("robots-unreachable", row)
    assert finding.message.startswith("gives no answer (timeout): ")
    assert json.loads(finding.evidence or "") == {
        "problem": "gives no answer (timeout)",
        "error": "timeout",
        "detail": "30 seconds",
    }
