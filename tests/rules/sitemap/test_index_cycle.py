"""index-cycle: a sitemap is reached again from one of its own descendants."""

import pytest

from sitemapaudit.items import Kind, Sitemap
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

ABOVE = "https://www.example.com/index.xml"
MOVED = "https://www.example.com/moved.xml"


@pytest.mark.parametrize(
    ("cycles", "expected"),
    [([], []), ([SITEMAP], ["error"]), ([SITEMAP, ABOVE], ["error", "error"])],
)
def test_each_reference_is_a_finding(cycles: list[str], expected: list[str]) -> None:
    row = Sitemap(SITEMAP, kind=Kind.SITEMAPINDEX, cycles=cycles)
    assert severities("index-cycle", row) == expected


def test_message_names_the_child() -> None:
    cycles = [ABOVE, SITEMAP, MOVED]
    row = Sitemap(SITEMAP, parent=ABOVE, final_url=MOVED, kind=Kind.SITEMAPINDEX, cycles=cycles)
    findings = found("index-cycle", row)
    assert [finding.message for finding in findings] == [
        f"lists {ABOVE}, which is an index above it",
        f"lists {SITEMAP}, which is the file itself",
        f"lists {MOVED}, which is the file itself",
    ]
    places = {(finding.url, finding.sitemap, finding.position) for finding in findings}
    assert places == {(None, SITEMAP, None)}
