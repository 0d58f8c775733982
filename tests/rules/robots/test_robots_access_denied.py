"""robots-access-denied: robots.txt returns 401, 403 or 407."""

from sitemapaudit.items import Robots
from tests.rules.robots.files import ROBOTS, robots
from tests.support.findings import found

RULE = "robots-access-denied"


def example() -> list[Robots]:
    """Return a robots.txt that is kept from the auditor."""
    return [robots(status=403)]


def test_message_contains_the_status() -> None:
    (finding,) = found(RULE, robots(status=401))
    assert finding.message == "returns 401: its content is unknown"
    assert (finding.url, finding.sitemap) == (ROBOTS, None)
