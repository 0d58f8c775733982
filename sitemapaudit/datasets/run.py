"""A finished run, opened for analysis."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapaudit.datasets.database import connect, table_file, view_tables
from sitemapaudit.datasets.folders import find_run
from sitemapaudit.datasets.manifest import Manifest

if TYPE_CHECKING:
    import duckdb
    import pandas as pd


class Run:
    """The tables of one run, as pandas DataFrames and through DuckDB's SQL.

    ``path`` is a run folder. Each table is read when it is first asked for.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = Manifest.read(path)

    @cached_property
    def urls(self) -> pd.DataFrame:
        """A row for each listed URL, with its verdict."""
        return self._table("urls")

    @cached_property
    def findings(self) -> pd.DataFrame:
        """A row for each finding."""
        return self._table("findings")

    @cached_property
    def entries(self) -> pd.DataFrame:
        """A row for each occurrence in a sitemap."""
        return self._table("entries")

    @cached_property
    def pages(self) -> pd.DataFrame:
        """A row for each URL asked for."""
        return self._table("pages")

    @cached_property
    def sitemaps(self) -> pd.DataFrame:
        """A row for each sitemap file."""
        return self._table("sitemaps")

    @cached_property
    def robots(self) -> pd.DataFrame:
        """A row for each robots.txt."""
        return self._table("robots")

    def sql(self, query: str, parameters: object = None) -> pd.DataFrame:
        """Ask DuckDB over the same tables; nothing is read into memory but the answer."""
        return self._connection.execute(query, parameters).df()

    @cached_property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        connection = connect()
        view_tables(connection, self.path)
        return connection

    def _table(self, name: str) -> pd.DataFrame:
        # pandas takes half a second to import, which a crawl does not need to spend.
        import pandas as pd  # noqa: PLC0415
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415

        # Without these, a column with one missing value turns from 404 into 404.0.
        nullable = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
        table = pq.read_table(table_file(self.path, name))
        frame: pd.DataFrame = table.to_pandas(types_mapper=nullable.get)
        return frame

    def __repr__(self) -> str:
        return f"<Run {self.path} ({self.manifest.status})>"


def open_run(path: str | Path) -> Run:
    """Open a run folder, or the newest one below ``path``.

    Raises FileNotFoundError if there is none, or if its tables were never
    built: then ``scrapy report`` makes them from the ledger.
    """
    folder = find_run(path)
    if not table_file(folder, "urls").exists():
        raise FileNotFoundError(
            f"{folder} has no tables, since its run was cut short:"
            f" build them with scrapy report {folder}"
        )
    return Run(folder)
