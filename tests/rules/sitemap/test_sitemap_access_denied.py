"""sitemap-access-denied: the final status is 401, 403 or 429, or a bot challenge came."""

import pytest

from sitemapaudit.items import Sitemap
from tests.rules.sitemap.files import read, response, rules_on
from tests.support.findings import found
from tests.support.rows import SITEMAP


@pytest.mark.parametrize("status", [401, 403, 429])
@pytest.mark.parametrize("hops", [1, 11])
def test_no_other_rule_reports_it_after_redirects(status: int, hops: int) -> None:
    row = read(response(status=status), Sitemap(SITEMAP, hops=hops))
    assert rules_on(row) == ["sitemap-access-denied"]


@pytest.mark.parametrize("body", ["<!doctype html><title>Wait", "", "<urlset/>"])
def test_a_challenge_is_no_sitemap_and_no_fault_of_the_file(body: str) -> None:
    challenge = response(body, 202)
    challenge.headers["x-amzn-waf-action"] = ["challenge"]
    row = read(challenge)
    assert rules_on(row) == ["sitemap-access-denied"]
    (finding,) = found("sitemap-access-denied", row)
    expected = "returns 202 (x-amzn-waf-action: challenge): its content is unknown"
    assert finding.message == expected


def test_message_names_the_status() -> None:
    (finding,) = found("sitemap-access-denied", read(response(status=429)))
    assert finding.message == "returns 429: its content is unknown"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
