"""The types of columns in other programs."""

from __future__ import annotations

from typing import Final

from docs.generated.markdown import table
from sitemapaudit.items.schema import TABLES, table_columns

_TYPES: Final = {
    "VARCHAR": ("STRING", "Text", "Text"),
    "BIGINT": ("INT64", "Number", "Whole Number"),
    "DOUBLE": ("FLOAT64", "Number", "Decimal Number"),
    "BOOLEAN": ("BOOL", "Boolean", "True/False"),
    "TIMESTAMPTZ": ("TIMESTAMP", "Date & Time", "Date/Time/Timezone"),
}
"""The types of BigQuery, Looker Studio and Power Query, by the type in DuckDB."""

_TEXT_LIST: Final = "VARCHAR[]"
_TYPES_OF_LISTS: Final = ("`ARRAY<STRING>`", "Text, with a view", "Text, of the CSV file")
_SHOWN: Final = ("urls", "findings")


def types() -> str:
    """Return the types of the columns of two tables, which spreadsheets and warehouses load."""
    names = ("column", "in Parquet", "BigQuery", "Looker Studio", "Excel, Power Query")
    return "\n\n".join(
        f"### Types of {name}\n\n{table(names, [_row(*each) for each in _columns(name)])}"
        for name in _SHOWN
    )


def _columns(name: str) -> list[tuple[str, str]]:
    return [(column.name, column.type) for column in table_columns(name)]


def _row(name: str, sql_type: str) -> tuple[str, ...]:
    shown = f"`{sql_type.lower()}`"
    if sql_type == _TEXT_LIST:
        return (
            f"`{name}`",
            shown,
            "ARRAY&lt;STRING&gt;",
            "Text, with a view",
            "Text, of the CSV file",
        )
    return (f"`{name}`", shown, *_TYPES[sql_type])


def bigquery_type(sql_type: str) -> str:
    """Return the type that BigQuery gives to a column; a structure is a RECORD."""
    repeated = sql_type.endswith("[]")
    base = sql_type.removesuffix("[]")
    known = "RECORD" if base.startswith("STRUCT") else _TYPES[base][0]
    return f"ARRAY<{known}>" if repeated else known


EVERY_TYPE: Final = {
    column.type: bigquery_type(column.type) for name in TABLES for column in table_columns(name)
}
"""The types of all columns: a new type is an error until it is known here."""
