"""The lines of pages in the ledger, without empty values.

Half of the columns of most pages are null or empty: with these, a line would be twice as long.
Lines of earlier versions, which have them, are read as well.
"""

from collections.abc import Iterable, Iterator
from dataclasses import Field, fields
from operator import attrgetter
from typing import Any, Final, get_type_hints

import msgspec

from sitemapaudit.items import Page
from sitemapaudit.items.schema import Column


def _is_list(field: Field[Any]) -> bool:
    return field.default_factory is list


def _is_optional(field: Field[Any]) -> bool:
    return field.default is None or _is_list(field)


def _names(some: Iterable[Field[Any]]) -> tuple[str, ...]:
    return tuple(field.name for field in some)


_HINTS: Final = get_type_hints(Page)
_REQUIRED: Final = [field for field in fields(Page) if not _is_optional(field)]
_OPTIONAL: Final = [field for field in fields(Page) if _is_optional(field)]
_LISTS: Final = frozenset(_names(filter(_is_list, _OPTIONAL)))
_POSITIONAL: Final = _names(field for field in fields(Page) if not field.kw_only)
_KEYWORDS: Final = _names(field for field in fields(Page) if field.kw_only)

_Line: Final[Any] = msgspec.defstruct(
    "_Line",
    [
        *((field.name, _HINTS[field.name]) for field in _REQUIRED),
        *(
            (
                field.name,
                _HINTS[field.name],
                msgspec.field(default_factory=list) if _is_list(field) else None,
            )
            for field in _OPTIONAL
        ),
    ],
    omit_defaults=True,
    gc=False,
)
_decode: Final = msgspec.json.Decoder(_Line).decode
_written_values: Final = attrgetter(*_names([*_REQUIRED, *_OPTIONAL]))
_positional_values: Final = attrgetter(*_POSITIONAL)
_keyword_values: Final = attrgetter(*_KEYWORDS)


def lines_of(rows: Iterable[Page]) -> Iterator[Any]:
    """Yield the lines of pages."""
    for row in rows:
        yield _Line(*_written_values(row))


def read_line(line: bytes) -> Page:
    """Return the page of a line. Raises msgspec.MsgspecError if it is damaged."""
    read = _decode(line)
    shared = dict(zip(_KEYWORDS, _keyword_values(read), strict=True))
    return Page(*_positional_values(read), **shared)


def restored(column: Column) -> str:
    """Return the SQL for a column of pages that are read from their lines."""
    return f"coalesce({column.name}, []) as {column.name}" if column.name in _LISTS else column.name
