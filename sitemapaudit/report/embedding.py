"""What a page may hold of a site: texts of bounded length, and data that cannot end a script."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

TEXT: Final = 300
"""Characters that are shown of a text of the site."""

ADDRESS: Final = 2_000
"""Characters that are shown of an address; one that is cut is no link."""

ELLIPSIS: Final = "…"


def cut(text: str, width: int = TEXT) -> str:
    """Return a text of at most ``width`` characters; its end says whether it was cut."""
    return text if len(text) <= width else text[: width - 1] + ELLIPSIS


def embedded(data: Any) -> str:
    """Return data as JSON that may stand in a script element, whatever it holds."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)
    return text.replace("<", "\\u003c")


def within(rows: Iterable[Any], budget: int) -> list[Any]:
    """Return the first rows that fit into ``budget`` bytes of a page, and one at least."""
    kept: list[Any] = []
    for row in rows:
        budget -= len(embedded(row).encode(errors="replace")) + 1
        if kept and budget < 0:
            break
        kept.append(row)
    return kept
