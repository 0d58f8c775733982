"""index-cycle: a sitemap is reached again from one of its own descendants."""

import pytest

from sitemapaudit.items import Kind, Sitemap
from tests.support import SITEMAP, found, severities

ABOVE = "https://www.example.com/index.xml"
MOVED = "https://www.example.com/moved.xml"


@pytest.mark.parametrize(
    ("cycles", "expected"),
    [([], []), ([SITEMAP], ["error"]), ([SITEMAP, ABOVE], ["error", "error"])],
)
def test_each_reference_upwards_is_a_finding(cycles: list[str], expected: list[str]) -> None:
    row = Sitemap(SITEMAP, kind=Kind.SITEMAPINDEX, cycles=cycles)
    assert severities("index-cycle", row) == expected


def test_message_names_where_it_leads() -> None:
    cycles = [ABOVE, SITEMAP, MOVED]
    row = Sitemap(SITEMAP, parent=ABOVE, final_url=MOVED, kind=Kind.SITEMAPINDEX, cycles=cycles)
    findings = found("index-cycle", row)
    assert [finding.message for finding in findings] == [
        f"leads back to {ABOVE}, an index above it",
        f"leads back to {SITEMAP}, which is the file itself",
        f"leads back to {MOVED}, which is the file itself",
    ]
    places = {(finding.url, finding.sitemap, finding.position) for finding in findings}
    assert places == {(None, SITEMAP, None)}
