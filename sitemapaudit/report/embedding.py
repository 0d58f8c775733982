"""Limits for embedded content: short texts, and data that cannot end its script."""

import json
from collections.abc import Iterable
from typing import Any, Final

import msgspec

TEXT: Final = 300
"""Limit for a text of the site, in characters."""

ADDRESS: Final = 2_000
"""Limit for a URL in characters; a truncated URL is not a link."""

ELLIPSIS: Final = "…"

MAX_ITEMS: Final = 20
"""Limit for items per list."""


def shorten(text: str, width: int = TEXT) -> str:
    """Return a text of at most ``width`` characters; an ellipsis replaces its middle.

    URLs differ at their ends, and the end of a message says what happened.
    """
    if len(text) <= width:
        return text
    end = (width - 1) // 2
    return text[: max(width, 1) - 1 - end] + ELLIPSIS + text[len(text) - end :]


def bounded(value: Any) -> Any:
    """Return a value with limited texts and lists; what JSON does not have becomes text."""
    if isinstance(value, dict):
        parts = (f"{name}: {bounded(part)}" for name, part in value.items() if part is not None)
        return shorten(", ".join(parts))
    if isinstance(value, list):
        more = len(value) - MAX_ITEMS
        first = [bounded(each) for each in value[:MAX_ITEMS]]
        return [*first, *([f"{ELLIPSIS} and {more:,} more"] if more > 0 else [])]
    if isinstance(value, str):
        return shorten(value, ADDRESS)
    if value is None or isinstance(value, bool | int | float):
        return value
    return shorten(str(value), ADDRESS)


def embedded(data: Any) -> str:
    """Return data as JSON that is safe in a script element."""
    try:
        text = msgspec.json.encode(data, enc_hook=str).decode()
    except UnicodeEncodeError:  # The text contains half a surrogate pair.
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)
    return text.replace("<", "\\u003c")


def within(rows: Iterable[Any], budget: int) -> list[Any]:
    """Return the first rows that fit into ``budget`` bytes of a page, at least one."""
    kept: list[Any] = []
    for row in rows:
        budget -= len(embedded(row).encode(errors="replace")) + 1
        if kept and budget < 0:
            break
        kept.append(row)
    return kept
