"""The results of a run as items: verdicts and findings."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from sitemapaudit.datasets.database import connect, create_table_views
from sitemapaudit.items import Finding, Url
from sitemapaudit.items.schema import TABLES, Column, columns
from sitemapaudit.runs.folders import table_file

RESULT_TABLES: Final = ("urls", "findings")
"""Tables that exist only at the end of a run."""

_BATCH: Final = 1_000


def result_rows(run: Path) -> Iterator[Url | Finding]:
    """Yield the verdicts and then the findings of a run folder, in the order of its tables."""
    for table in RESULT_TABLES:
        if table_file(run, table).exists():
            yield from _rows(run, table)


def _rows(run: Path, table: str) -> Iterator[Url | Finding]:
    item = TABLES[table]
    names = [column.name for column in columns(item)]
    values = ", ".join(_select(column) for column in columns(item))
    with connect() as connection:
        create_table_views(connection, run, [table])
        found = connection.execute(f"select {values} from {table}")
        while rows := found.fetchmany(_BATCH):
            for row in rows:
                yield msgspec.convert(dict(zip(names, row, strict=True)), item)


def _select(column: Column) -> str:
    """Return the SQL for a column; times as text, because items are read from text."""
    if column.type == "TIMESTAMPTZ":
        return f"strftime({column.name}, '%Y-%m-%dT%H:%M:%S.%fZ')"
    return column.name
