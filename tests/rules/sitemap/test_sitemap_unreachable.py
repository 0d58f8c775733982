"""sitemap-unreachable: no HTTP response after retries; the evidence keeps the reason."""

import json

import pytest

from sitemapaudit.items import Error
from tests.rules.sitemap.files import read, response, rules_on
from tests.support import SITEMAP, found, severities


@pytest.mark.parametrize(
    "error",
    [
        Error.DNS,
        Error.REFUSED,
        Error.RESET,
        Error.TLS,
        Error.TIMEOUT,
        Error.TRUNCATED,
        Error.INVALID_HTTP,
        Error.ENCODING,
    ],
)
def test_network_errors(error: Error) -> None:
    row = read(response(status=None, error=error))
    assert severities("sitemap-unreachable", row) == ["error"]
    assert rules_on(row) == ["sitemap-unreachable"]


@pytest.mark.parametrize("error", [Error.BLOCKED, Error.LIMIT, Error.INTERNAL])
def test_a_sitemap_that_was_not_fetched_is_not_checked(error: Error) -> None:
    assert rules_on(read(response(status=None, error=error))) == []


@pytest.mark.parametrize(
    "error", [Error.REDIRECT_INVALID, Error.REDIRECT_LOOP, Error.TOO_MANY_REDIRECTS]
)
def test_redirects_are_responses(error: Error) -> None:
    assert severities("sitemap-unreachable", read(response(status=302, error=error))) == []


@pytest.mark.parametrize("status", [200, 204, 304, 403, 404, 429, 500, 599])
def test_responses(status: int) -> None:
    assert severities("sitemap-unreachable", read(response(status=status))) == []


def test_message_and_evidence_contain_the_reason() -> None:
    failed = response(status=None, error=Error.TIMEOUT, detail="120 seconds", retries=2)
    (finding,) = found("sitemap-unreachable", read(failed))
    assert finding.message == "could not be fetched (timeout)"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
    assert json.loads(finding.evidence or "") == {
        "error": "timeout",
        "detail": "120 seconds",
        "retries": 2,
    }
