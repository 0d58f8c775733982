"""The own columns of a run (AUDIT_COLUMNS) in its tables."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from sitemapaudit.datasets.database import sql_string
from sitemapaudit.items.schema import (
    LEDGER_TABLES,
    OPTIONAL_DATASETS,
    RENDERED,
    TABLES,
    Column,
    columns,
    table_columns,
)
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.runs.manifest import Manifest

SETTING: Final = "AUDIT_COLUMNS"
_TABLES: Final = ("pages", "urls")
_ABOUT_PAGES: Final = re.compile(r"\b(?:pages|urls|last_pages)\b")
_ALIAS: Final = re.compile(r"\bas (?:(?:not )?materialized )?\"?([a-z_][a-z0-9_]*)")


_ADDED: Final = frozenset({"rowid", "file_row_number", "filename"})
_WORDS: Final = """
    select keyword_name from duckdb_keywords()
    where keyword_category in ('reserved', 'type_function')
"""


def own_columns(manifest: Manifest, table: str) -> tuple[Column, ...]:
    """Return the own columns of a table: with rendered twins if pages were rendered."""
    selectors: dict[str, str] = manifest.settings.get(SETTING) or {}
    if table not in _TABLES:
        return ()
    own = [Column(name, "VARCHAR", f"`{text}`") for name, text in selectors.items()]
    if manifest.arguments.get("render", "never") != "never":
        own += [
            Column(RENDERED + name, "VARCHAR", f"`{text}`, in the browser")
            for name, text in selectors.items()
        ]
    return tuple(own)


def columns_of_run(manifest: Manifest, table: str) -> tuple[Column, ...]:
    """Return all columns of a table of a run."""
    return (*table_columns(table), *own_columns(manifest, table))


def select_own(wanted: Iterable[Column], *, rendered: bool) -> str:
    """Return the SQL for own columns of ``page``, and of its ``rendering`` if it has any."""
    return "".join(f', {_value(each.name, rendered)} as "{each.name}"' for each in wanted)


def _value(name: str, rendered: bool) -> str:  # noqa: FBT001 - whether there are renderings
    source, key = "page", name
    if name.startswith(RENDERED):
        source, key = "rendering", name.removeprefix(RENDERED)
        if not rendered:
            return "null::varchar"
    return f"list_filter({source}.own_values, lambda own: own.name = {sql_string(key)})[1].value"


def check_names(names: Iterable[str]) -> None:
    """Raise ValueError for the name of an own column that is taken.

    A column that a query of this program names would make that query ambiguous.
    """
    every = {**LEDGER_TABLES, **TABLES, **OPTIONAL_DATASETS}
    taken = {column.name for item in every.values() for column in columns(item)}
    for name in names:
        if name in taken or name.startswith(RENDERED):
            raise ValueError(f"the tables have a column {name} already; choose another name")
        if name in _words_of_sql():
            raise ValueError(f"{name} is a word of SQL; choose another name: own_{name}")
        if name in _names_in_queries():
            raise ValueError(f"rules have a name {name} already; choose another one: own_{name}")


@cache
def _words_of_sql() -> frozenset[str]:
    """Return the words that queries cannot use as names, and the columns that DuckDB adds."""
    import duckdb  # noqa: PLC0415 - few checks of settings need it

    with duckdb.connect() as connection:
        return frozenset(name for (name,) in connection.execute(_WORDS).fetchall()) | _ADDED


@cache
def _names_in_queries() -> frozenset[str]:
    """Return the names that queries about pages and URLs give to what they compute."""
    # The recipe imports DuckDB, which few checks of settings need.
    from sitemapaudit.datasets.recipe import RECIPE  # noqa: PLC0415

    queries = [rule.query for rule in catalog().values() if issubclass(rule, QueryRule)]
    texts = [*queries, *(relation.sql for relation in RECIPE)]
    about_pages = (text for text in texts if _ABOUT_PAGES.search(text))
    return frozenset(name for text in about_pages for name in _ALIAS.findall(text))
