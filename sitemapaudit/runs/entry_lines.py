"""The lines of entries in the ledger: what an entry does not have takes no room.

Nine of ten values of an entry are empty, and most locs are in normal form: with them, a line would
be more than twice as long. ``url`` is missing if it is the loc itself, and empty if there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final

import msgspec

from sitemapaudit.items import Entry
from sitemapaudit.items.schema import Column, columns

_NAMES: Final = tuple(field.name for field in fields(Entry))
_values: Final = attrgetter(*_NAMES)


def _field(column: Column) -> tuple[str, Any] | tuple[str, Any, Any]:
    if column.name in ("sitemap", "position", "kind"):
        return column.name, Any
    if column.type.endswith("[]"):
        return column.name, Any, msgspec.field(default_factory=list)
    return column.name, Any, False if column.type == "BOOLEAN" else None


_Line: Final[Any] = msgspec.defstruct(
    "_Line", map(_field, columns(Entry)), omit_defaults=True, gc=False
)


def lines_of(rows: Sequence[Entry]) -> Iterator[Any]:
    """Yield what is written of each entry."""
    for row in rows:
        line = _Line(*_values(row))
        if row.url == row.loc:
            line.url = None
        elif row.url is None:
            line.url = ""
        yield line


def restore(row: Entry) -> Entry:
    """Set the URL of an entry that was read from its line; return the same entry."""
    row.url = row.loc if row.url is None else row.url or None
    return row


def restored(column: Column) -> str:
    """Return the SQL for a column of entries that are read from their lines."""
    if column.name == "url":
        return "if(url is null, loc, nullif(url, '')) as url"
    if column.type.endswith("[]"):
        return f"coalesce({column.name}, []) as {column.name}"
    if column.type == "BOOLEAN":
        return f"coalesce({column.name}, false) as {column.name}"
    return column.name
