"""Caps on what is stored about a site: on texts, lists, rows and batches.

A reader stops one character or one item after a cap (``cut``, ``append``, ``extend``). ``fit``
drops what exceeds the caps of a row, and names the columns in ``truncated_columns``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec

MAX_TEXT: Final = 8_192
"""Characters of a text; a longer URL is neither resolved nor fetched."""

MAX_ITEMS: Final = 2_000
"""Items of a list."""

MAX_LISTS: Final = 2**20
"""Bytes of all lists of a row, as JSON."""

MAX_LINE: Final = 2**24
"""Bytes of a line of the ledger: no row within these caps is longer."""

BATCH_ROWS: Final = 500
BATCH_BYTES: Final = 2**20
"""Rows of a batch, and their bytes as JSON; a larger row is a separate batch."""

_SMALL: Final = min(MAX_TEXT, 2 * MAX_ITEMS)
"""Bytes of a row as JSON that cannot exceed a cap: an item of a list takes two or more."""

_EXEMPT: Final = frozenset({"truncated_columns", "text", "sitemaps", "findings"})
"""Columns that need no cap: findings are made of capped rows, and the text of a robots.txt has its
own cap (RFC 9309 section 2.5)."""

_CAPPED: Final = (str, list)
_ELLIPSIS: Final = "…"

T = TypeVar("T")


def cut(text: str) -> str:
    """Return a text without most of what ``fit`` would drop."""
    return text[: MAX_TEXT + 1]


def extend(items: list[T], more: Iterable[T]) -> None:
    """Append items, without most of what ``fit`` would drop."""
    items.extend(islice(more, max(0, MAX_ITEMS + 1 - len(items))))


def append(items: list[T], item: T) -> None:
    """Append an item, unless ``fit`` would drop it."""
    if len(items) <= MAX_ITEMS:
        items.append(item)


def appended(items: Sequence[T], item: T) -> Sequence[T]:
    """Return a list with one more item, unless ``fit`` would drop it.

    A list is extended in place; only the empty sequence that rows share is replaced.
    """
    grown = items if isinstance(items, list) else list(items)
    append(grown, item)
    return grown


def fit(row: T) -> T:
    """Cut the texts and lists of a row that exceed the caps; return the same row.

    A truncated text ends with an ellipsis, which makes it too long to be a URL.
    """
    if _is_small_row(row):
        return row
    item: Any = row
    room = _Room()
    for name in _names(item.__class__):
        value = getattr(item, name)
        if value and value.__class__ in _CAPPED:
            room.exceeded = False
            setattr(item, name, room.take(value))
            if room.exceeded and name not in item.truncated_columns:
                item.truncated_columns = [*item.truncated_columns, name]
    return row


def is_small(encoded: bytes) -> bool:
    """Return whether a row as JSON is too short to exceed a cap."""
    return len(encoded) <= _SMALL


def _is_small_row(row: object) -> bool:
    """Return whether the length of the row rules out that it exceeds a cap: the fastest check."""
    try:
        return is_small(msgspec.json.encode(row))
    except (TypeError, ValueError):
        return False  # The ledger reports a row that cannot be encoded.


def batches(rows: Iterable[T]) -> Iterator[list[T]]:
    """Yield rows in batches."""
    batch: list[T] = []
    size = 0
    for row in rows:
        added = len(msgspec.json.encode(row))
        if batch and (len(batch) == BATCH_ROWS or size + added > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += added
    if batch:
        yield batch


class _Room:
    """The space left in one row; ``exceeded`` if something did not fit."""

    def __init__(self) -> None:
        self.exceeded = False
        self._left = MAX_LISTS

    def take(self, value: Any) -> Any:
        """Return as much of a value as fits."""
        if isinstance(value, str):
            return self._take_text(value)
        if isinstance(value, list):
            return self._take_list(value)
        if is_dataclass(value):
            for name in _names(value.__class__):
                setattr(value, name, self.take(getattr(value, name)))
        return value

    def _take_text(self, text: str) -> str:
        if len(text) <= MAX_TEXT:
            return text
        self.exceeded = True
        return text[:MAX_TEXT] + _ELLIPSIS

    def _take_list(self, items: list[Any]) -> list[Any]:
        kept: list[Any] = []
        for item in islice(items, MAX_ITEMS):
            encoded = msgspec.json.encode(item)
            if not is_small(encoded):
                item = self.take(item)  # noqa: PLW2901 - what is kept of it
                encoded = msgspec.json.encode(item)
            size = len(encoded)
            if size > self._left:
                break
            self._left -= size
            kept.append(item)
        self.exceeded = self.exceeded or len(kept) < len(items)
        return kept


@cache
def _names(row: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(row) if field.name not in _EXEMPT)
