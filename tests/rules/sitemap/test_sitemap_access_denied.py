"""sitemap-access-denied: the final status is 401, 403 or 429."""

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


def test_message_names_the_status() -> None:
    (finding,) = found("sitemap-access-denied", read(response(status=429)))
    assert finding.message == "returns 429: its content is unknown"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
