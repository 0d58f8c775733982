"""Checks for any row that a reader creates: the ledger preserves it, and no rule fails on it."""

from typing import Final, TypeVar

import msgspec

from sitemapaudit.audit import Audit, Item
from sitemapaudit.caps import MAX_LINE

T = TypeVar("T")

_AUDIT: Final = Audit()


def round_trip(row: T) -> T:
    """Return a row as the ledger reads it back; fail if it changed, or fits into no line."""
    line = msgspec.json.encode(row)
    assert len(line) < MAX_LINE
    again = msgspec.json.decode(line, type=type(row))
    assert again == row
    return again


def check_rules(*items: Item) -> None:
    """Apply every rule to the items; fail if a rule raises an exception."""
    for item in items:
        for finding in _AUDIT.examine(item):
            round_trip(finding)
    assert not _AUDIT.broken
