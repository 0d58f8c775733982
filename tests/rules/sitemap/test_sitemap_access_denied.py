"""sitemap-access-denied: the final status is 401, 403 or 429."""

import pytest

from sitemapaudit.items import Error, Sitemap
from tests.rules.sitemap.files import read, response, rules_on
from tests.support import SITEMAP, found, severities


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, []),
        (304, []),
        (400, []),
        (401, ["warning"]),
        (402, []),
        (403, ["warning"]),
        (404, []),
        (407, []),
        (428, []),
        (429, ["warning"]),
        (430, []),
        (503, []),
    ],
)
def test_status(status: int, expected: list[str]) -> None:
    assert severities("sitemap-access-denied", read(response(status=status))) == expected


def test_a_failed_request_is_not_reported() -> None:
    row = read(response(status=None, error=Error.TIMEOUT))
    assert severities("sitemap-access-denied", row) == []


@pytest.mark.parametrize("status", [401, 403, 429])
@pytest.mark.parametrize("hops", [0, 1, 11])
@pytest.mark.parametrize(
    "body", ["", "<!doctype html><title>Are you human?</title>", "{}", "<urlset/>"]
)
def test_no_other_rule_reports_it(status: int, hops: int, body: str) -> None:
    row = read(response(body, status), Sitemap(SITEMAP, hops=hops))
    assert rules_on(row) == ["sitemap-access-denied"]


def test_message_names_the_status() -> None:
    (finding,) = found("sitemap-access-denied", read(response(status=429)))
    assert finding.message == "returns 429: its content is unknown"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
