"""A finished run, opened for analysis."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sitemapaudit.datasets.database import connect, table_file, view_tables
from sitemapaudit.datasets.folders import find_run, find_runs, run_before
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.datasets.relations import LANGUAGE_ALTERNATES
from sitemapaudit.datasets.schema import TABLES

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

_COMPARISON: Final = "comparison"


class Run:
    """The tables of one run, as pandas DataFrames and through DuckDB's SQL.

    ``path`` is a run folder. Each table is read when it is first asked for.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._manifest = Manifest.read(path)

    @property
    def path(self) -> Path:
        """The run folder."""
        return self._path

    @property
    def site(self) -> str:
        """The name of the folder that holds every run of the site."""
        return self._path.resolve().parent.name

    @property
    def manifest(self) -> Manifest:
        """What stands in run.json: arguments, status, and counts by verdict, severity and rule."""
        return self._manifest

    @property
    def built(self) -> bool:
        """Whether its tables are there; a run that is going on or was cut short has none."""
        return table_file(self._path, "urls").exists()

    @property
    def previous(self) -> Run | None:
        """The run of the same site before this one, if there is one with tables."""
        before = run_before(self._path)
        return Run(before) if before else None

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

    @property
    def comparison(self) -> pd.DataFrame:
        """A row for each thing that is not as it was in the run that it was compared with.

        Raises FileNotFoundError if there was none: ``scrapy compare`` compares any two.
        """
        if not table_file(self._path, _COMPARISON).exists():
            raise FileNotFoundError(
                f"{self._path} has not been compared with another run: use scrapy compare"
            )
        return self._table(_COMPARISON)

    def sql(self, query: str, parameters: object = None) -> pd.DataFrame:
        """Ask DuckDB over the same tables; nothing is read into memory but the answer.

        ``alternates`` is there too: a row for each language alternate of a URL, from sitemaps,
        tags and headers (``url``, ``source``, ``hreflang``, ``code`` in lower case, ``href``,
        ``target``, which is its URL, ``fault``, ``sitemap``, ``position``).
        """
        return self._connection.execute(query, parameters).df()

    @cached_property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        connection = connect()
        view_tables(connection, self._path, (*TABLES, _COMPARISON))
        connection.execute(f"create view alternates as {LANGUAGE_ALTERNATES}")
        return connection

    def _table(self, name: str) -> pd.DataFrame:
        # pandas takes half a second to import, which a crawl does not need to spend.
        import pandas as pd  # noqa: PLC0415
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet as pq  # noqa: PLC0415

        # Without these, a column with one missing value turns from 404 into 404.0.
        nullable = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
        table = pq.read_table(table_file(self._path, name))
        frame: pd.DataFrame = table.to_pandas(types_mapper=nullable.get)
        return frame

    def __repr__(self) -> str:
        state = "complete" if self._manifest.complete else f"not complete: {self._manifest.reason}"
        return f"<Run {self._path} ({self._manifest.status}, {state})>"


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


def open_runs(path: str | Path) -> list[Run]:
    """Open every run at or below ``path``, the oldest first.

    Those without tables are among them: of these only the manifest can be asked.
    """
    return [Run(folder) for folder in find_runs(path)]
