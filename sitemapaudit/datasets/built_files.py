"""The files of a build at the URLs of its pages, for outputs that name them next to the URLs."""

from collections.abc import Iterable
from typing import Final

import duckdb

OWN_FILES: Final = "(select url, file from pages where status = 200 and file is not null)"
"""SQL: the pages of a build with their files, without pages of errors."""


def files_at(connection: duckdb.DuckDBPyConnection, urls: Iterable[str]) -> dict[str, str]:
    """Return the files of a build that are the pages at these URLs."""
    query = f"select url, file from {OWN_FILES} where list_contains($urls, url)"
    return dict(connection.execute(query, {"urls": list(urls)}).fetchall())
