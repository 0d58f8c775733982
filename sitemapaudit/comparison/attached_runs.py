"""The tables of two runs as the schemas ``old`` and ``new`` of one database."""

from pathlib import Path

import duckdb

from sitemapaudit.datasets.database import parquet_rows, relation_kind
from sitemapaudit.items.schema import TABLES, table_columns
from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.manifest import Manifest, Status


def attach_run(connection: duckdb.DuckDBPyConnection, schema: str, run: Path) -> None:
    """Create a relation for each table of a run; columns that an earlier version lacks are null.

    Each relation is a view, or a table if that is faster.
    """
    connection.execute(f"create schema {schema}")
    for table in TABLES:
        nulls = ", ".join(
            f"null::{column.type} as {column.name}" for column in table_columns(table)
        )
        rows, kind = f"select {nulls}, null::bigint as file_row_number where false", "table"
        if (file := table_file(run, table)).exists():
            written = parquet_rows(file, "file_row_number = true")
            rows = f"from {written} union all by name {rows}"
            kind = relation_kind(table, file)
        connection.execute(f"create {kind} {schema}.{table} as {rows}")


def describe_status(connection: duckdb.DuckDBPyConnection, schema: str, manifest: Manifest) -> None:
    """Create the table ``run`` of a schema, with one row: whether the run was stopped."""
    stopped = manifest.status is not Status.FINISHED
    connection.execute(f"create table {schema}.run as select {stopped} as stopped")
