"""Rows of tables as JSON, from which items are decoded."""

from collections.abc import Collection, Iterator
from dataclasses import is_dataclass
from datetime import datetime
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from sitemapaudit.items.schema import columns, sql_type

_TIME: Final = "%Y-%m-%dT%H:%M:%S.%fZ"


def row_json(item: type) -> str:
    """Return the SQL for a row of an item as JSON; times are text, as items are read from it."""
    members = (f"{name}: {value}" for name, value in _values(item, None))
    return f"to_json({{{', '.join(members)}}})"


def row_json_array(item: type, names: Collection[str]) -> str:
    """Return the SQL for a row of an item as a JSON array: its columns with names, in their order.

    It has half the length of a JSON object, and takes half the time.
    """
    return f"json_array({', '.join(value for _, value in _values(item, names))})"


def _values(item: type, names: Collection[str] | None) -> Iterator[tuple[str, str]]:
    """Yield the columns of an item, and the SQL for their values."""
    hints = get_type_hints(item, include_extras=True)
    for column in columns(item):
        if names is None or column.name in names:
            yield column.name, _value(column.name, hints[column.name])


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
