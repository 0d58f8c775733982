"""What readers make is judged by the rules, and read again from the ledger as it was written."""

from typing import Final, TypeVar

import msgspec

from sitemapaudit.audit import Audit, Item

T = TypeVar("T")

_AUDIT: Final = Audit()


def written(row: T) -> T:
    """Return a row as the ledger gives it back, which must be as it is."""
    again = msgspec.json.decode(msgspec.json.encode(row), type=type(row))
    assert again == row
    return again


def judge(*items: Item) -> None:
    """Show items to every rule, none of which may fail."""
    for item in items:
        for finding in _AUDIT.examine(item):
            written(finding)
    assert not _AUDIT.broken
