"""Writes and reads the Parquet files of tables."""

import json
from functools import cache
from typing import Final

from sitemapaudit.datasets.build import Build
from sitemapaudit.datasets.database import create_table_views, sql_string
from sitemapaudit.datasets.own_columns import columns_of_run
from sitemapaudit.items.schema import Column
from sitemapaudit.runs.folders import table_file
from sitemapaudit.schema_version import SCHEMA_VERSION

ROW_GROUP: Final = 40_960
ROW_GROUP_MEGABYTES: Final = 32
"""Rows of a Parquet file, and their size, that are written at once, and held in memory.

Each reader of a file has its metadata in memory: with half the size, that of ten million pages is
95 MB.
"""

DICTIONARY: Final = 512
"""Different values of a column in a row group that are written once: if it has more, it is not
worth a dictionary. To look for them in all columns takes a seventh of the time to write."""


def write_table(build: Build, table: str, query: str, dictionary: int = DICTIONARY) -> None:
    """Write a table to its file; the query may read an earlier version of it.

    ``dictionary`` is the number of different values of a column that are written once.
    """
    file = table_file(build.drafts, table)
    draft = file.with_suffix(".new")
    build.connection.execute(
        f"copy ({query}) to $file (format parquet, compression zstd, row_group_size {ROW_GROUP},"
        f" row_group_size_bytes '{ROW_GROUP_MEGABYTES}MB', dictionary_size_limit {dictionary},"
        f" kv_metadata {_metadata(columns_of_run(build.manifest, table))})",
        {"file": str(draft)},
    )
    draft.replace(file)


@cache
def _metadata(columns: tuple[Column, ...]) -> str:
    """Return the metadata of a file: the meanings of its columns, and the version of the schema."""
    meanings = {column.name: column.meaning for column in columns}
    text = sql_string(json.dumps(meanings, ensure_ascii=False))
    return f"{{columns: {text}, schema_version: '{SCHEMA_VERSION}'}}"


def write_whole_table(build: Build, table: str) -> None:
    """Write a table as it is, in its order."""
    write_table(build, table, f"from {table}")
    build.written.add(table)


def write_view(build: Build, table: str, query: str) -> None:
    """Write a table to its file, and create a view of it."""
    write_table(build, table, query)
    create_table_views(build.connection, build.drafts, [table])
