"""robots-missing: robots.txt returns a status from 400 to 499 that denies nothing."""

import pytest

from sitemapaudit.items import Error
from tests.rules.robots.files import ROBOTS, robots
from tests.support import found, severities


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, []),
        (204, []),
        (301, []),
        (399, []),
        (400, ["notice"]),
        (401, []),
        (403, []),
        (407, []),
        (404, ["notice"]),
        (410, ["notice"]),
        (428, ["notice"]),
        (429, []),
        (430, ["notice"]),
        (499, ["notice"]),
        (500, []),
        (503, []),
    ],
)
def test_status(status: int, expected: list[str]) -> None:
    assert severities("robots-missing", robots(status=status)) == expected


def test_a_failed_request_is_not_reported() -> None:
    assert severities("robots-missing", robots(status=None, error=Error.DNS)) == []


def test_other_hosts_are_not_audited() -> None:
    assert severities("robots-missing", robots(status=404, audited=False)) == []


def test_message_contains_the_status() -> None:
    (finding,) = found("robots-missing", robots(status=410))
    assert finding.message == "returns 410: everything may be crawled, and no sitemap is declared"
    assert (finding.url, finding.sitemap) == (ROBOTS, None)
