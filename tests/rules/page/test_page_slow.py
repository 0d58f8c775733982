"""page-slow: the response begins late."""

import pytest

from sitemapaudit.items import Entries, Page
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.rule_options import RuleOptions
from tests.pages.responses import URL, head, page_of
from tests.support.findings import found, severities
from tests.support.rows import listed

RULE = "page-slow"


def example() -> list[Entries | Page]:
    """Return items that break the rule."""
    return [listed(URL), page_of(head(), elapsed=4.25)]


@pytest.mark.parametrize(
    ("elapsed", "expected"),
    [(None, []), (0.0, []), (1.79, []), (1.8, []), (1.81, ["notice"]), (29.0, ["notice"])],
)
def test_seconds(elapsed: float | None, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(), elapsed=elapsed)) == expected


@pytest.mark.parametrize(("limit", "expected"), [(0.0, 0), (0.5, 1), (3.0, 0)])
def test_the_limit_can_be_set(limit: float, expected: int) -> None:
    rule = catalog()[RULE]
    assert issubclass(rule, RowRule)
    checker: RowRule[Page] = rule(RuleOptions(slow_seconds=limit))
    assert len([*checker.check(page_of(head(), elapsed=2.0))]) == expected


def test_message() -> None:
    (finding,) = found(RULE, page_of(head(), elapsed=4.25))
    assert finding.message == "responded after 4.2 seconds; the limit is 1.8"
