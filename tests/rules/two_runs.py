"""Rules that compare two runs, checked in memory: the tables of both, and the query of a rule."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

import duckdb
import pyarrow as pa

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.finding_table import needed_queries, run_queries
from sitemapaudit.rules.catalog import catalog
from tests.rules.tables import Item, fill_tables, insert, read_rows, transaction

Row = dict[str, Any]

_SOURCE: Final = re.compile(r"\b(?:old|new)\.(\w+)")


def compared_tables(
    before: Iterable[Item], after: Iterable[Item], rule: str, *, stopped: bool = False
) -> list[Row]:
    """Return the findings of a rule that compares two runs with these items.

    ``stopped`` is whether the later run was stopped before its end.
    """
    audit = Audit({name: "off" for name in catalog() if name != rule})
    (query,) = audit.comparisons
    needs = " ".join(f"{need.table} {need.condition}" for need in query.needs)
    names = {"listed", *_SOURCE.findall(f"{query.query} {needs}")} - {"run"}
    runs = {"old": _run_tables(before, names), "new": _run_tables(after, names)}
    with transaction() as connection:
        for schema, tables in runs.items():
            _create_schema(connection, schema, tables)
        connection.execute(f"create table new.run as select {stopped} as stopped")
        connection.execute("create temp view listed as from new.listed")
        run_queries(connection, audit, audit.comparisons)
        assert audit.broken == {}
        found = read_rows(connection, "findings")
        # A rule that finds something must run.
        assert not found or needed_queries(connection, audit.comparisons) == [query]
        return found


def _run_tables(items: Iterable[Item], names: Collection[str]) -> Mapping[str, pa.Table]:
    """Return these tables of a run with these items."""
    with transaction() as connection:
        insert(connection, items, None)
        fill_tables(connection, names)
        return {name: connection.table(name).to_arrow_table() for name in names}


def _create_schema(
    connection: duckdb.DuckDBPyConnection, schema: str, tables: Mapping[str, pa.Table]
) -> None:
    connection.execute(f"create schema {schema}")
    for name, table in tables.items():
        connection.from_arrow(table).create(f"{schema}.{name}")
