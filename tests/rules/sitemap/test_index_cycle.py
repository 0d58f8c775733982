"""index-cycle: a sitemap is reached again from one of its own descendants."""

import pytest

from sitemapaudit.items import Kind, Sitemap
from tests.support import SITEMAP, found, severities

ABOVE = "https://www.example.com/index.xml"


@pytest.mark.parametrize(
    ("cycles", "expected"),
    [([], []), ([SITEMAP], ["error"]), ([SITEMAP, ABOVE], ["error", "error"])],
)
def test_each_reference_upwards_is_a_finding(cycles: list[str], expected: list[str]) -> None:
    row = Sitemap(SITEMAP, kind=Kind.SITEMAPINDEX, cycles=cycles)
    assert severities("index-cycle", row) == expected


def test_message_names_the_child() -> None:
    row = Sitemap(SITEMAP, parent=ABOVE, kind=Kind.SITEMAPINDEX, cycles=[ABOVE])
    (finding,) = found("index-cycle", row)
    assert finding.message == f"lists {ABOVE}, which is itself or stands above it"
    assert (finding.url, finding.sitemap, finding.position) == (None, SITEMAP, None)
