"""The tables and their columns, derived from the items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from enum import Enum
from functools import cache
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from sitemapaudit.items import (
    AgentPage,
    AgentVerdict,
    Entry,
    Estimate,
    Finding,
    Link,
    MediaFile,
    Occurrence,
    Orphan,
    Page,
    RecheckedPage,
    Rendering,
    Robots,
    Sitemap,
    UnlistedPage,
    Url,
)

LEDGER_TABLES: Final[Mapping[str, type]] = {
    "robots": Robots,
    "sitemaps": Sitemap,
    "entries": Entry,
    "pages": Page,
    "rechecks": RecheckedPage,
    "renderings": Rendering,
    "media": MediaFile,
    "agent_pages": AgentPage,
    "findings": Finding,
}
"""The tables that are written while crawling."""

TABLES: Final[Mapping[str, type]] = {
    "robots": Robots,
    "sitemaps": Sitemap,
    "entries": Entry,
    "pages": Page,
    "urls": Url,
    "findings": Finding,
    "occurrences": Occurrence,
}
"""The datasets of a run."""

LINKS: Final = "links"
ORPHANS: Final = "orphans"
UNLISTED: Final = "unlisted_pages"

LINK_DATASETS: Final[Mapping[str, type]] = {
    LINKS: Link,
    ORPHANS: Orphan,
    UNLISTED: UnlistedPage,
}
"""The other datasets of a run that recorded links."""

VERDICTS: Final = "verdicts"
MEDIA: Final = "media"
ESTIMATES: Final = "estimates"

OPTIONAL_DATASETS: Final[Mapping[str, type]] = {
    **LINK_DATASETS,
    MEDIA: MediaFile,
    ESTIMATES: Estimate,
    VERDICTS: AgentVerdict,
}
"""The datasets that only some runs have: ``media`` those that checked images and videos,
``estimates`` those that took a sample, ``verdicts`` those with several agents."""

IDENTITIES: Final[Mapping[str, Sequence[str]]] = {
    "robots": ("site",),
    "sitemaps": ("sitemap",),
    "entries": ("sitemap", "position", "loc"),
    "pages": ("url",),
    "rechecks": ("url",),
    "renderings": ("url",),
    "media": ("url",),
    "agent_pages": ("url",),
    "findings": tuple(field.name for field in fields(Finding)),
}
"""The columns that identify a row of the ledger: rows with the same values there are the same."""

RENDERED: Final = "rendered_"
"""The prefix of those columns of ``pages`` that come from the browser."""

LEDGER_ONLY: Final = frozenset({"own_values"})
"""Columns of pages and renderings in the ledger whose values are columns in the datasets."""

_OF_THE_PAGE: Final = frozenset({"url", "render_reason", *LEDGER_ONLY})
"""Fields of a rendering that its page has too, or that are not in the datasets."""

_TYPES: Final = {
    str: "VARCHAR",
    int: "BIGINT",
    float: "DOUBLE",
    bool: "BOOLEAN",
    datetime: "TIMESTAMPTZ",
}


@dataclass(slots=True, frozen=True)
class Column:
    """A column: its name, its type in DuckDB, and its meaning."""

    name: str
    type: str
    meaning: str


@cache
def columns(item: type) -> tuple[Column, ...]:
    """Return the columns of an item; those that a page shares with its rendering come last."""
    hints = get_type_hints(item, include_extras=True)
    own_first = sorted(fields(item), key=lambda field: bool(field.kw_only))
    return tuple(
        Column(field.name, sql_type(hints[field.name]), _meaning(hints[field.name]))
        for field in own_first
    )


def table_columns(table: str) -> tuple[Column, ...]:
    """Return the columns of a dataset; those of a page include its rendering's."""
    own = columns({**TABLES, **OPTIONAL_DATASETS}[table])
    if table != "pages":
        return own
    own = tuple(column for column in own if column.name not in LEDGER_ONLY)
    rendered = (replace(column, name=RENDERED + column.name) for column in rendered_columns())
    return (*own, *rendered)


def rendered_columns() -> tuple[Column, ...]:
    """Return the columns that a rendering adds to a page."""
    return tuple(column for column in columns(Rendering) if column.name not in _OF_THE_PAGE)


def sql_type(hint: Any) -> str:
    """Return the DuckDB type of a type hint.

    Raises TypeError for a type that no column can have.
    """
    if get_origin(hint) is Annotated:
        return sql_type(get_args(hint)[0])
    if get_origin(hint) in (list, Sequence):
        return f"{sql_type(get_args(hint)[0])}[]"
    alternatives = [option for option in get_args(hint) if option is not NoneType]
    if len(alternatives) == 1:
        return sql_type(alternatives[0])
    if is_dataclass(hint):
        members = get_type_hints(hint)
        return "STRUCT({})".format(", ".join(f'"{k}" {sql_type(v)}' for k, v in members.items()))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "VARCHAR"
    if hint in _TYPES:
        return _TYPES[hint]
    raise TypeError(f"no column can have the type {hint}")


def _meaning(hint: Any) -> str:
    return " ".join(note for note in get_args(hint)[1:] if isinstance(note, str))
