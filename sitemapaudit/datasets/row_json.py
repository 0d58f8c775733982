"""Rows of tables as JSON, from which items are decoded."""

from collections.abc import Collection
from dataclasses import is_dataclass
from datetime import datetime
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from sitemapaudit.items.schema import columns, sql_type

_TIME: Final = "%Y-%m-%dT%H:%M:%S.%fZ"


def row_json(item: type, names: Collection[str] | None = None) -> str:
    """Return the SQL for a row of an item as JSON; times are text, as items are read from it.

    With ``names``, it has only the columns with these names.
    """
    hints = get_type_hints(item, include_extras=True)
    every = [column.name for column in columns(item)]
    chosen = every if names is None else [name for name in every if name in names]
    members = (f"{name}: {_value(name, hints[name])}" for name in chosen)
    return f"to_json({{{', '.join(members)}}})"


def _value(expression: str, hint: Any, depth: int = 0) -> str:
    """Return the SQL for a value with its times as text; DuckDB copies any other value as it is."""
    if get_origin(hint) is Annotated:
        return _value(expression, get_args(hint)[0], depth)
    kind = sql_type(hint)
    if "TIMESTAMPTZ" not in kind:
        return expression
    if kind.endswith("[]"):
        each = f"each_{depth}"
        inner = _value(each, get_args(hint)[0], depth + 1)
        return f"list_transform({expression}, lambda {each}: {inner})"
    alternatives = [option for option in get_args(hint) if option is not type(None)]
    if alternatives:
        return _value(expression, alternatives[0], depth)
    if hint is datetime:
        return f"strftime({expression}, '{_TIME}')"
    assert is_dataclass(hint)
    members = get_type_hints(hint)
    values = (f"{name}: {_value(f'{expression}.{name}', members[name], depth)}" for name in members)
    return f"{{{', '.join(values)}}}"
