"""robots-missing: robots.txt returns a status from 400 to 499 that denies nothing."""

from tests.rules.robots.files import ROBOTS, robots
from tests.support.findings import found


def test_message_contains_the_status() -> None:
    (finding,) = found("robots-missing", robots(status=410))
    assert finding.message == "returns 410: everything may be crawled, and no sitemap is declared"
    assert (finding.url, finding.sitemap) == (ROBOTS, None)
