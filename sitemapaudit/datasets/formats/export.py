"""The input of a format."""

from pathlib import Path

import duckdb
from msgspec import Struct

from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.manifest import Manifest


class Export(Struct, frozen=True):
    """The tables as views of a connection, the manifest, and a folder for the new files."""

    connection: duckdb.DuckDBPyConnection
    manifest: Manifest
    scratch: Path
    rules: Catalog
