"""JSON Lines: a line per row, times as ISO 8601 in UTC."""

from typing import Final

from sitemapaudit.datasets.database import sql_string
from sitemapaudit.datasets.formats.export import Export
from sitemapaudit.items.schema import TABLES

FILES: Final = tuple(f"{table}.jsonl" for table in TABLES)

_ISO: Final = "%Y-%m-%dT%H:%M:%S.%fZ"


def write(export: Export) -> None:
    """Write each table."""
    for table, file in zip(TABLES, FILES, strict=True):
        target = sql_string(str(export.scratch / file))
        export.connection.execute(
            f"copy (from {table}) to {target} (format json, timestampformat {sql_string(_ISO)})"
        )
