"""Checks for any row that a reader creates: the ledger preserves it, and no rule fails on it."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from sitemapaudit.audit import Audit, Item
from sitemapaudit.caps import MAX_LINE
from sitemapaudit.items import Entry, Page
from sitemapaudit.runs.ledger import entry_lines, page_lines
from sitemapaudit.runs.ledger.ledger import UNWRITTEN, RowEncoder

T = TypeVar("T")

_AUDIT: Final = Audit()
_ENCODER: Final = RowEncoder()
_READERS: Final[dict[type, Callable[[bytes], Any]]] = {
    Entry: entry_lines.read_line,
    Page: page_lines.read_line,
}


def round_trip(row: T) -> T:
    """Return a row as the ledger reads it back; fail if it changed, or fits into no line."""
    rows: list[Any] = [row]
    line = _ENCODER.encode(rows)
    assert line != UNWRITTEN
    assert len(line) < MAX_LINE
    read = _READERS.get(type(row)) or msgspec.json.Decoder(type(row)).decode
    again: T = read(line)
    assert again == row
    return again


def check_rules(*items: Item) -> None:
    """Apply every rule to the items; fail if a rule raises an exception."""
    for item in items:
        for finding in _AUDIT.examine(item):
            round_trip(finding)
    assert not _AUDIT.broken
