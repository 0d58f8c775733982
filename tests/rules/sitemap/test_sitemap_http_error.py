"""sitemap-http-error: the final status is 400 or above, or a 3xx that leads nowhere."""

import json

import pytest

from sitemapaudit.items import Error
from tests.rules.sitemap.files import (
    PAGE,
    compressed,
    index,
    item,
    read,
    response,
    rss,
    url,
    urlset,
)
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
    assert json.loads(finding.evidence or "") == {"status": 503, "note": "", "retries": 2}


@pytest.mark.parametrize("status", [400, 404, 410, 500])
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (urlset(url()), "urlset"),
        (index(PAGE), "sitemapindex"),
        (rss(item()), "rss"),
        (compressed(urlset(url())), "urlset"),
        ("<!doctype html><title>Not found</title>", None),
        ("<error/>", None),
        ("https://www.example.com/ has no such page", None),
        ("", None),
    ],
)
def test_a_body_that_is_a_sitemap_is_mentioned(
    status: int, body: str | bytes, kind: str | None
) -> None:
    row = read(response(body, status=status))
    (finding,) = found("sitemap-http-error", row)
    note = f", although its body is a sitemap ({kind})" if kind else ""
    assert finding.message == f"returns {status}{note}"
    assert (row.kind, row.entries, row.error_body) == ("unknown", 0, kind)
