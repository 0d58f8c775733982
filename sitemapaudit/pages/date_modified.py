"""The date of the last change that a page states: in JSON-LD, or in a meta tag of Open Graph."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from selectolax.lexbor import LexborNode

from sitemapaudit.http.dates import to_utc

_MARKS: Final = (b"dateModified", b"modified_time")

JSON_LD: Final = "application/ld+json"
"""The type of scripts that state dates."""

MODIFIED_TIME: Final = "article:modified_time"
"""The property, or the name, of meta elements that state a date."""

_MAX_SCRIPTS: Final = 20
_MAX_LENGTH: Final = 262_144
"""Characters of a script that is read."""

_MAX_NODES: Final = 1_000
_SAME: Final = timedelta(days=1)
_FIRST_YEAR: Final = 1995
"""An earlier date is a default of a program, such as 1970-01-01 or 0001-01-01."""


def read_dates_modified(
    document: bytes, metas: list[str], scripts: Sequence[LexborNode]
) -> list[str]:
    """Return the dates that a document states for itself, as written.

    ``metas`` are the contents of its meta elements ``MODIFIED_TIME``, ``scripts`` those of the type
    ``JSON_LD``. Of JSON-LD, these are the dates of the outermost nodes and of those of ``@graph``:
    a node within another one can be a comment, or another page. The bytes are searched first,
    because few pages state a date and parsing JSON takes time.
    """
    if not (metas or scripts) or not any(mark in document for mark in _MARKS):
        return []
    texts = (node.text() for node in scripts[:_MAX_SCRIPTS])
    dates = (date for text in texts for date in _script_dates(text))
    stated = [*metas[:_MAX_SCRIPTS], *dates]
    return list(dict.fromkeys(text for date in stated if (text := date.strip())))


def choose_date_modified(stated: Iterable[str]) -> tuple[str | None, datetime | None]:
    """Return the date of a page as written and in UTC.

    Dates that are more than a day apart say nothing: some belong to something else on the page.
    """
    dates = [(text, at) for text in stated if (at := parse_date(text))]
    times = [at for _, at in dates]
    if not dates or max(times) - min(times) > _SAME:
        return None, None
    return dates[0]


def parse_date(text: str) -> datetime | None:
    """Parse an ISO 8601 date, in UTC unless it has a zone; return None if it is invalid."""
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return None
    return to_utc(date) if date.year >= _FIRST_YEAR else None


def _script_dates(script: str) -> Iterator[str]:
    if _MARKS[0].decode() not in script or len(script) > _MAX_LENGTH:
        return
    try:
        content = msgspec.json.decode(script)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return
    for node in _nodes(content):
        date = node.get("dateModified")
        if isinstance(date, str):
            yield date


def _nodes(content: Any) -> Iterator[dict[str, Any]]:
    outermost = content if isinstance(content, list) else [content]
    for node in outermost[:_MAX_NODES]:
        if isinstance(node, dict):
            yield node
            graph = node.get("@graph")
            if isinstance(graph, list):
                yield from (each for each in graph[:_MAX_NODES] if isinstance(each, dict))
