"""CSV files for spreadsheets: they open with their umlauts, and no cell acts as a formula."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import sql_string

BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""Without it Excel reads UTF-8 as the encoding of the system."""

_FORMULA: Final = "^[=+\\-@\\t\\r]"

_INNER_FORMULA: Final = r"""([;\t\r\n]["']*)([=+\-@])"""
"""A formula after what a spreadsheet of another language takes for the end of a cell."""

_QUOTED: Final = r"\1'\2"

_SEPARATORS: Final = (";", "\t", "\r", "\n")


def write_csv(
    connection: duckdb.DuckDBPyConnection, types: Mapping[str, str], source: str, file: Path
) -> None:
    """Write the columns of a source to a file; ``types`` has their SQL types by name."""
    first = next(iter(types))
    cells = ", ".join(
        f'{_cell(name, sql_type)} as "{BYTE_ORDER_MARK if name == first else ""}{name}"'
        for name, sql_type in types.items()
    )
    connection.execute(f"copy (select {cells} from {source}) to {sql_string(str(file))} (header)")


def _cell(name: str, sql_type: str) -> str:
    """Return a column for a spreadsheet: a list in one cell, and no text that acts as a formula."""
    if sql_type == "VARCHAR[]":
        text = f"array_to_string({name}, ' ')"
    elif sql_type == "VARCHAR":
        text = name
    else:
        return name
    inner = f"regexp_replace({text}, {sql_string(_INNER_FORMULA)}, {sql_string(_QUOTED)}, 'g')"
    quoted = f"if(regexp_matches({text}, {sql_string(_FORMULA)}), '''' || {inner}, {inner})"
    # Most texts begin with a letter and have no separator: to find these first halves the time.
    separators = (f" or contains({text}, {sql_string(one)})" for one in _SEPARATORS)
    return f"if({text} < 'A'{''.join(separators)}, {quoted}, {text})"
