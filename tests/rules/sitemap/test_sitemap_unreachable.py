"""sitemap-unreachable: no HTTP response after retries; the evidence keeps the reason."""

import json

import pytest

from sitemapaudit.items import Error
from tests.rules.sitemap.files import read, response
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP


@pytest.mark.parametrize(
    "error", [Error.REDIRECT_INVALID, Error.REDIRECT_LOOP, Error.TOO_MANY_REDIRECTS]
)
def test_redirects_are_responses(error: Error) -> None:
    assert severities("sitemap-unreachable", read(response(status=302, error=error))) == []


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
