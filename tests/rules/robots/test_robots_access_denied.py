"""robots-access-denied: robots.txt returns 401, 403 or 407."""

import pytest

from sitemapaudit.items import Error, Robots
from tests.rules.robots.files import ROBOTS, robots
from tests.support import found, severities

RULE = "robots-access-denied"


def example() -> list[Robots]:
    """Return a robots.txt that is kept from the auditor."""
    return [robots(status=403)]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, []), (301, []), (400, []), (401, ["warning"]), (402, []), (403, ["warning"]),
        (404, []), (407, ["warning"]), (429, []), (503, []),
    ],
)  # fmt: skip
def test_status(status: int, expected: list[str]) -> None:
    assert severities(RULE, robots(status=status)) == expected


def test_a_failed_request_and_another_host_are_not_reported() -> None:
    assert severities(RULE, robots(status=None, error=Error.DNS)) == []
    assert severities(RULE, robots(status=403, audited=False)) == []


def test_message_contains_the_status() -> None:
    (finding,) = found(RULE, robots(status=401))
    assert finding.message == "returns 401: what it says is unknown"
    assert (finding.url, finding.sitemap) == (ROBOTS, None)
