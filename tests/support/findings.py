"""What a rule finds in one row."""

from typing import Any

from sitemapaudit.items import (
    Finding,
)
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.rule import RowRule


def found(rule: str, row: Any) -> list[Finding]:
    """Return the findings of one row rule on one row.

    A run checks only rows that concern the rule.
    """
    checker = catalog()[rule]()
    assert isinstance(checker, RowRule)
    findings = list(checker.check(row))
    assert not findings or checker.own_concern is None or checker.own_concern(row)
    return findings


def severities(rule: str, row: Any) -> list[str]:
    """Return the severities of the findings of one row rule on one row."""
    return [finding.severity.value for finding in found(rule, row)]
