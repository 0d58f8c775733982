"""A workbook of the tables, for spreadsheets.

Rows are written as they are read: memory does not grow with the site. A cell has the type of its
column, so no text can act as a formula or a link. Times are dates in UTC. A list is one cell with
spaces between its values, and a structure is JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.datasets.database import sql_string
from sitemapaudit.datasets.formats.export import Export
from sitemapaudit.datasets.formats.workbook_texts import (
    column_rows,
    describe_truncation,
    rule_rows,
    summary_rows,
)
from sitemapaudit.datasets.own_columns import columns_of_run
from sitemapaudit.items.schema import Column
from sitemapaudit.rules.catalog import Catalog

if TYPE_CHECKING:
    from xlsxwriter import Workbook

FILES: Final = ("audit.xlsx",)

ROWS: Final = 1_048_575
"""Rows of a sheet below its header; Excel's limit is 1,048,576 with it."""

_SHEETS: Final = ("urls", "findings", "sitemaps")
_SUMMARY: Final = {"what": 14, "name": 34, "value": 40, "meaning": 90}
_RULES: Final = {
    "rule": 34,
    "findings": 10,
    "severity": 10,
    "subject": 10,
    "title": 60,
    "why": 80,
    "fix": 80,
}
_COLUMNS: Final = {"sheet": 10, "column": 26, "meaning": 110}
_TITLES: Final = {"findings": ("rule", "title", 60)}
"""Of a sheet: the column of a rule, and the column next to it with the title of the rule."""

_WIDTHS: Final = {"title": 60, "message": 80, "evidence": 60, "rules": 40, "rule": 34}
_ADDRESSES: Final = frozenset(
    {"url", "decoded_url", "sitemap", "final_url", "canonical", "parent", "sitemaps"}
)
_TYPE_WIDTHS: Final = {"BIGINT": 10, "DOUBLE": 10, "BOOLEAN": 10, "TIMESTAMPTZ": 20}
_FILTER_BUTTON: Final = 3
_BATCH: Final = 10_000
_EARLIEST: Final = datetime(1900, 3, 1)  # noqa: DTZ001 - the database gives UTC without a zone
_TRUNCATED: Final = -2


class _Sheet:
    """A sheet, written from top to bottom; ``truncated`` counts truncated texts."""

    def __init__(self, book: Workbook, name: str, widths: dict[str, int]) -> None:
        self.truncated = 0
        self._sheet = book.add_worksheet(name)
        self._dates = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self._row = 0
        self._width = len(widths)
        head = book.add_format({"bold": True})
        for position, (column, width) in enumerate(widths.items()):
            self._sheet.set_column(position, position, max(width, len(column) + _FILTER_BUTTON))
            self._sheet.write_string(0, position, column, head)
        self._sheet.freeze_panes(1, 0)

    def extend(self, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows; null and empty values have no cell."""
        for row in rows:
            self._row += 1
            for position, value in enumerate(row):
                if value is not None and value != "":
                    self._writers[type(value)](self, position, value)

    def close(self) -> None:
        """Add a filter to every column."""
        self._sheet.autofilter(0, 0, self._row, self._width - 1)

    def _text(self, position: int, text: str) -> None:
        if text.startswith("<r>") and text.endswith("</r>"):
            text += " "  # XlsxWriter would regard it as its own markup.
        self.truncated += self._sheet.write_string(self._row, position, text) == _TRUNCATED

    def _number(self, position: int, number: float) -> None:
        self._sheet.write_number(self._row, position, number)

    def _boolean(self, position: int, value: bool) -> None:  # noqa: FBT001 - a value of a cell
        self._sheet.write_boolean(self._row, position, value)

    def _date(self, position: int, moment: datetime) -> None:
        # Spreadsheets have no dates before 1900, and a wrong leap day in that year.
        if moment < _EARLIEST:
            self._text(position, f"{moment.isoformat()}Z")
        else:
            self._sheet.write_datetime(self._row, position, moment, self._dates)

    _writers: Final[dict[type, Callable[[_Sheet, int, Any], None]]] = {
        str: _text,
        int: _number,
        float: _number,
        bool: _boolean,
        datetime: _date,
    }


def write(export: Export) -> None:
    """Write the workbook; its temporary files are in the same folder."""
    from xlsxwriter import Workbook  # noqa: PLC0415 - it is in an extra

    file, manifest = export.scratch / FILES[0], export.manifest
    options = {"constant_memory": True, "tmpdir": str(file.parent), "use_zip64": True}
    with Workbook(str(file), options) as book:
        summary = _Sheet(book, "summary", _SUMMARY)
        tables = [_write_table(book, export, table) for table in _SHEETS]
        rules, meanings = _Sheet(book, "rules", _RULES), _Sheet(book, "columns", _COLUMNS)
        rules.extend(rule_rows(manifest, export.rules))
        meanings.extend(column_rows(manifest, _SHEETS))
        summary.extend(summary_rows(manifest, export.rules))
        truncated = sum(sheet.truncated for sheet in tables)
        summary.extend(describe_truncation(manifest, _SHEETS, ROWS, truncated))
        for sheet in (summary, *tables, rules, meanings):
            sheet.close()


def _write_table(book: Workbook, export: Export, table: str) -> _Sheet:
    cells: dict[str, str] = {}
    widths: dict[str, int] = {}
    rule, title, width = _TITLES.get(table, ("", "", 0))
    for column in columns_of_run(export.manifest, table):
        cells[column.name], widths[column.name] = _cell(column), _width(column)
        if column.name == rule:
            cells[title], widths[title] = _title(rule, export.rules), width
    sheet = _Sheet(book, table, widths)
    found = export.connection.execute(
        f"select {', '.join(cells.values())} from {table} limit {ROWS}"
    )
    while rows := found.fetchmany(_BATCH):
        sheet.extend(rows)
    return sheet


def _title(column: str, rules: Catalog) -> str:
    """Return the titles of the rules in a column."""
    titles = (
        f"when {sql_string(name)} then {sql_string(rule.title())}" for name, rule in rules.items()
    )
    return f"case {column} {' '.join(titles)} end"


def _cell(column: Column) -> str:
    """Return a column as a value that fits in a cell."""
    name = f'"{column.name}"'  # A column name can be a keyword of SQL.
    if column.type == "TIMESTAMPTZ":
        return f"{name} at time zone 'UTC'"
    if column.type == "VARCHAR[]":
        return f"array_to_string({name}, ' ')"
    if column.type == "VARCHAR" or column.type in _TYPE_WIDTHS:
        return name
    return f"nullif(to_json({name})::varchar, '[]')"


def _width(column: Column) -> int:
    if column.name in _ADDRESSES:
        return 60
    return _WIDTHS.get(column.name) or _TYPE_WIDTHS.get(column.type, 20)
