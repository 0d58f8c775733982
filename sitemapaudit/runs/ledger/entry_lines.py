"""The lines of entries in the ledger, without empty values.

90 % of the values of an entry are empty, most locs are in normal form, most files are urlsets, and
most lastmods are days: a line with all values would be three times as long. A line has these keys
instead of column names:

- ``file`` is the sitemap, ``n`` the position, ``skip`` the skip reason.
- ``url`` is missing if it is the loc itself, and empty if there is none.
- ``day`` is a lastmod such as 2026-11-05; ``lastmod`` and ``lastmod_at`` are any other.
- ``kind`` is missing in a urlset.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import UTC, date, datetime, time
from operator import attrgetter
from typing import Any, Final, get_type_hints

import msgspec

from sitemapaudit.items import Entry, Kind
from sitemapaudit.items.schema import Column, columns
from sitemapaudit.sitemaps.w3c_dates import is_day

KEYS: Final = {"sitemap": "file", "position": "n", "skip_reason": "skip"}
"""The shorter keys of some columns."""

_NAMES: Final = tuple(field.name for field in fields(Entry))
_values: Final = attrgetter(*_NAMES)
_REQUIRED: Final = ("sitemap", "position")


def _field(column: Column, hint: Any) -> tuple[str, Any] | tuple[str, Any, Any]:
    if column.name in _REQUIRED:
        return column.name, hint
    if column.name == "kind":
        return column.name, hint, Kind.URLSET
    if column.type.endswith("[]"):
        return column.name, hint, ()
    return column.name, hint, False if column.type == "BOOLEAN" else None


_HINTS: Final = get_type_hints(Entry)
_Line: Final[Any] = msgspec.defstruct(
    "_Line",
    [
        *(_field(column, _HINTS[column.name]) for column in columns(Entry)),
        ("day", date | None, None),
    ],
    omit_defaults=True,
    gc=False,
    rename=KEYS,
)
_decode: Final = msgspec.json.Decoder(_Line).decode

LINE_COLUMNS: Final = (
    *(Column(KEYS.get(column.name, column.name), column.type, "") for column in columns(Entry)),
    Column("day", "DATE", ""),
)
"""The keys of a line as columns."""


def lines_of(rows: Sequence[Entry]) -> Iterator[Any]:
    """Yield the lines of entries."""
    for row in rows:
        line = _Line(*_values(row)) if _has_details(row) else _plain_line(row)
        if row.url == row.loc:
            line.url = None
        elif row.url is None:
            line.url = ""
        if row.lastmod_at is not None and row.lastmod is not None and is_day(row.lastmod):
            line.day, line.lastmod, line.lastmod_at = row.lastmod, None, None
        yield line


def _has_details(row: Entry) -> object:
    """Return whether an entry has rare values: only then its line is built from all columns."""
    return (
        row.images
        or row.videos
        or row.news
        or row.alternates
        or row.unknown_elements
        or row.repeated_elements
        or row.out_of_order
        or row.recovered
        or row.truncated_columns
    )


def _plain_line(row: Entry) -> Any:
    """Return the line of any other entry, in half the time of a line with all columns."""
    return _Line(
        row.sitemap,
        row.position,
        row.kind,
        row.loc,
        row.url,
        row.lastmod,
        row.changefreq,
        row.priority,
        row.lastmod_at,
        line=row.line,
        skip_reason=row.skip_reason,
    )


def read_line(line: bytes) -> Entry:
    """Return the entry of a line. Raises msgspec.MsgspecError if it is damaged."""
    read = _decode(line)
    entry = Entry(*_values(read))
    entry.url = entry.loc if entry.url is None else entry.url or None
    if read.day is not None:
        entry.lastmod = read.day.isoformat()
        entry.lastmod_at = datetime.combine(read.day, time(), UTC)
    return entry


def restored(column: Column) -> str:
    """Return the SQL for a column of entries that are read from their lines."""
    key = KEYS.get(column.name, column.name)
    match column.name:
        case "url":
            value = "if(url is null, loc, nullif(url, ''))"
        case "kind":
            value = f"coalesce(kind, '{Kind.URLSET}')"
        case "lastmod" | "lastmod_at":
            value = f"coalesce({key}, day::{column.type})"
        case _ if column.type.endswith("[]"):
            value = f"coalesce({key}, [])"
        case _ if column.type == "BOOLEAN":
            value = f"coalesce({key}, false)"
        case _:
            value = key
    return f"{value} as {column.name}"
