"""CSV files for spreadsheets: accented letters survive in Excel, no cell acts as a formula."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import sql_string

BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""Without it Excel reads UTF-8 as the encoding of the system."""

_SIGNS: Final = (
    r"=+\-@"
    "\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
    "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)
"""The characters that begin a formula, in half and in full width."""

_FORMULA: Final = rf"^[{_SIGNS}\t\r]"

_LAST_LETTER: Final = "\N{HANGUL SYLLABLE HIH}"
"""Between it and the letter A are the letters of most alphabets, and no character of a formula."""

_INNER_FORMULA: Final = rf"""([;\t\r\n]["']*)([{_SIGNS}])"""
"""A formula after what a spreadsheet of another language takes for the end of a cell."""

_QUOTED: Final = r"\1'\2"

_SEPARATORS: Final = (";", "\t", "\r", "\n")
_BETWEEN_CELLS: Final = "\N{INFORMATION SEPARATOR ONE}"
_SUSPICIOUS: Final = f"(?:^|{_BETWEEN_CELLS})[{_SIGNS}]|[{''.join(_SEPARATORS)}]"
"""A pattern for rows with a cell that may act as a formula, in any language."""

NO_VALUES: Final[Mapping[str, str]] = {}

_FEW: Final = 5_000
"""Rows of a table that is searched as a whole."""


def write_csv(
    connection: duckdb.DuckDBPyConnection,
    types: Mapping[str, str],
    source: str,
    file: Path,
    values: Mapping[str, str] = NO_VALUES,
) -> None:
    """Write the columns of a source to a file; ``types`` has their SQL types by name.

    ``values`` are those of the parameters of the source.
    """
    texts = {name: _text(name, sql_type) for name, sql_type in types.items()}
    cells = {name: text or name for name, text in texts.items()}
    row = f"concat_ws({sql_string(_BETWEEN_CELLS)}, {', '.join(filter(None, texts.values()))})"
    if _may_be_harmful(connection, f"select {row} as row from {source}", values):
        cells |= {name: _harmless(text) for name, text in texts.items() if text}
    marked = next(iter(types))
    columns = ", ".join(
        f'{cell} as "{BYTE_ORDER_MARK if name == marked else ""}{name}"'
        for name, cell in cells.items()
    )
    connection.execute(
        f"copy (select {columns} from {source}) to $csv (header true)", {**values, "csv": str(file)}
    )


def harmless(text: str) -> str:
    """Return a text that acts as no formula: the same as in the files."""
    inner = re.sub(_INNER_FORMULA, _QUOTED, text)
    return f"'{inner}" if re.search(_FORMULA, text) else inner


def _text(name: str, sql_type: str) -> str | None:
    """Return the text of a column's cells, a list in one cell; None if it is not text."""
    if sql_type == "VARCHAR[]":
        return f"array_to_string({name}, ' ')"
    return name if sql_type == "VARCHAR" else None


def _may_be_harmful(
    connection: duckdb.DuckDBPyConnection, rows_as_text: str, values: Mapping[str, str]
) -> bool:
    """Return whether each cell must be checked.

    To plan that for each column takes longer than to search the few rows of most tables, and less
    than to search many.
    """
    counted = connection.execute(
        f"select count(*), bool_or(regexp_matches(row, {sql_string(_SUSPICIOUS)}))"
        f" from ({rows_as_text} limit {_FEW})",
        dict(values),
    )
    rows, is_suspicious = counted.fetchall()[0]
    return rows == _FEW or bool(is_suspicious)


def _harmless(text: str) -> str:
    """Return a text that acts as no formula."""
    inner = f"regexp_replace({text}, {sql_string(_INNER_FORMULA)}, {sql_string(_QUOTED)}, 'g')"
    quoted = f"if(regexp_matches({text}, {sql_string(_FORMULA)}), '''' || {inner}, {inner})"
    # Most texts begin with a letter and have no separator: to find these first halves the time.
    separators = (f" or contains({text}, {sql_string(one)})" for one in _SEPARATORS)
    others = f"{text} not between 'A' and '{_LAST_LETTER}'"
    return f"if({others}{''.join(separators)}, {quoted}, {text})"
