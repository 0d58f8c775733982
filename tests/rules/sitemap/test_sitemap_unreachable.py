"""sitemap-unreachable: no HTTP answer after retries; the reason is kept."""

import json

import pytest

from sitemapaudit.items import Error
from tests.rules.sitemap.files import answer, read, rules_on
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
def test_the_network_fails(error: Error) -> None:
    row = read(answer(status=None, error=error))
    assert severities("sitemap-unreachable", row) == ["error"]
    assert rules_on(row) == ["sitemap-unreachable"]


@pytest.mark.parametrize("error", [Error.BLOCKED, Error.LIMIT, Error.INTERNAL])
def test_what_was_not_asked_for_is_not_judged(error: Error) -> None:
    assert rules_on(read(answer(status=None, error=error))) == []


@pytest.mark.parametrize(
    "error", [Error.REDIRECT_INVALID, Error.REDIRECT_LOOP, Error.TOO_MANY_REDIRECTS]
)
def test_a_redirect_is_an_answer(error: Error) -> None:
    assert severities("sitemap-unreachable", read(answer(status=302, error=error))) == []


@pytest.mark.parametrize("status", [200, 204, 304, 403, 404, 429, 500, 599])
def test_an_answer(status: int) -> None:
    assert severities("sitemap-unreachable", read(answer(status=status))) == []


def test_message_and_evidence_keep_the_reason() -> None:
    said = answer(status=None, error=Error.TIMEOUT, detail="120 seconds", retries=2)
    (finding,) = found("sitemap-unreachable", read(said))
    assert finding.message == "gives no answer (timeout)"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
    assert json.loads(finding.evidence or "") == {
        "error": "timeout",
        "detail": "120 seconds",
        "retries": 2,
    }
