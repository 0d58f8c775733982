"""sitemap-http-error: the final status is 400 or above, or a 3xx that leads nowhere."""

import json

import pytest

from sitemapaudit.items import Error
from tests.rules.sitemap.files import read, response
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP


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


def test_message_and_evidence() -> None:
    (finding,) = found("sitemap-http-error", read(response(status=503, retries=2)))
    assert finding.message == "returns 503"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
    assert json.loads(finding.evidence or "") == {"status": 503, "retries": 2}
