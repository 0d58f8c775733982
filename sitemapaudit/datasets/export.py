"""The input of a format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb

from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.manifest import Manifest


@dataclass(slots=True, frozen=True)
class Export:
    """The tables as views of a connection, the manifest, and a folder for the new files."""

    connection: duckdb.DuckDBPyConnection
    manifest: Manifest
    scratch: Path
    rules: Catalog
