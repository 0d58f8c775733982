"""Columns of tables and lists, and what an opened run offers."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import Final

from docs.generated.markdown import bullets, contents, docstring, first_paragraph, table
from sitemapaudit.comparison.changed_urls import ChangedUrl
from sitemapaudit.comparison.comparing import TABLE as COMPARISON
from sitemapaudit.comparison.differences import Difference
from sitemapaudit.datasets.run import Run
from sitemapaudit.items.schema import OPTIONAL_DATASETS, TABLES, Column, table_columns
from sitemapaudit.items.schema import columns as columns_of
from sitemapaudit.repair.changes import RepairChange
from sitemapaudit.report.fleet.reading import FleetSite
from sitemapaudit.report.fleet.tables import TABLE as FLEET

_OF_A_RUN: Final[Mapping[str, type]] = {**TABLES, **OPTIONAL_DATASETS}
_OTHERS: Final[Mapping[str, type]] = {COMPARISON: Difference, FLEET: FleetSite}


def columns() -> str:
    """Return a section with the columns of each table."""
    sections = [_section(name, item, table_columns(name)) for name, item in _OF_A_RUN.items()]
    sections += [_section(name, item, columns_of(item)) for name, item in _OTHERS.items()]
    return "\n\n".join([contents([*_OF_A_RUN, *_OTHERS]), *sections])


def _section(name: str, item: type, shown: Iterable[Column]) -> str:
    rows = [(f"`{column.name}`", _short(column.type), column.meaning) for column in shown]
    purpose = first_paragraph(inspect.getdoc(item) or "")
    return f"## {name}\n\n{purpose}\n\n{table(('column', 'type', 'meaning'), rows)}"


def _short(sql_type: str) -> str:
    """Return a type of DuckDB without the fields of its structures."""
    return re.sub(r"STRUCT\(.*\)", "struct", sql_type).lower()


def changes() -> str:
    """Return the columns of the list of changes of a repair."""
    return _names_and_meanings(RepairChange)


def changed_urls() -> str:
    """Return the columns of the list of changed URLs."""
    return _names_and_meanings(ChangedUrl)


def _names_and_meanings(item: type) -> str:
    rows = [(f"`{column.name}`", column.meaning) for column in columns_of(item)]
    return table(("column", "meaning"), rows)


def run() -> str:
    """Return what an opened run offers."""
    return bullets(
        f"`run.{name}{_call(member)}`: {docstring(member)}"
        for name, member in vars(Run).items()
        if not name.startswith("_")
    )


def _call(member: object) -> str:
    if not callable(member):
        return ""
    _, *names = inspect.signature(member).parameters
    return f"({', '.join(names)})"
