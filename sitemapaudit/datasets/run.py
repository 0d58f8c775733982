"""A run, opened for analysis."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sitemapaudit.items.schema import (
    ESTIMATES,
    LINKS,
    MEDIA,
    OPTIONAL_DATASETS,
    ORPHANS,
    TABLES,
    UNLISTED,
    VERDICTS,
)
from sitemapaudit.runs.folders import (
    check_free,
    find_run,
    find_runs,
    has_tables,
    previous_run,
    table_file,
)
from sitemapaudit.runs.manifest import Manifest

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

_COMPARISON: Final = "comparison"


class Run:
    """The tables of one run, as pandas DataFrames and through DuckDB's SQL.

    ``path`` is a run folder. Each table is read on first use.
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
        """The name of the folder that contains every run of the site."""
        return self._path.resolve().parent.name

    @property
    def manifest(self) -> Manifest:
        """The content of run.json: arguments, status, counts by verdict, severity and rule."""
        return self._manifest

    @property
    def built(self) -> bool:
        """True if the tables exist; a run that is running or was interrupted has none."""
        return has_tables(self._path)

    @property
    def previous(self) -> Run | None:
        """The previous run of the same site that has tables; None if there is none."""
        earlier = previous_run(self._path)
        return Run(earlier) if earlier else None

    @cached_property
    def urls(self) -> pd.DataFrame:
        """A row per listed URL, with its verdict."""
        return self._table("urls")

    @cached_property
    def findings(self) -> pd.DataFrame:
        """A row per finding."""
        return self._table("findings")

    @cached_property
    def occurrences(self) -> pd.DataFrame:
        """A row per finding that was merged with others of the same cause into one."""
        return self._table("occurrences")

    @cached_property
    def entries(self) -> pd.DataFrame:
        """A row per occurrence in a sitemap."""
        return self._table("entries")

    @cached_property
    def pages(self) -> pd.DataFrame:
        """A row per fetched URL."""
        return self._table("pages")

    @cached_property
    def sitemaps(self) -> pd.DataFrame:
        """A row per sitemap file."""
        return self._table("sitemaps")

    @cached_property
    def robots(self) -> pd.DataFrame:
        """A row per robots.txt."""
        return self._table("robots")

    @cached_property
    def links(self) -> pd.DataFrame:
        """A row per page and internal URL that it links to.

        Raises FileNotFoundError if links were not recorded: the argument ``links`` does.
        """
        return self._link_table(LINKS)

    @cached_property
    def orphans(self) -> pd.DataFrame:
        """A row per listed page that visitors cannot find by links, and what could link to it.

        Raises FileNotFoundError if links were not recorded: the argument ``links`` does.
        """
        return self._link_table(ORPHANS)

    @cached_property
    def estimates(self) -> pd.DataFrame:
        """A row per share that the sample estimates: of verdicts and rules, with its bounds.

        Raises FileNotFoundError if the run took no sample: the argument ``pages`` takes one.
        """
        if not table_file(self._path, ESTIMATES).exists():
            raise FileNotFoundError(f"{self._path} has no estimates; audit with pages=500")
        return self._table(ESTIMATES)

    @cached_property
    def media(self) -> pd.DataFrame:
        """A row per image or video that was checked.

        Raises FileNotFoundError if they were not: the argument ``media`` does.
        """
        if not table_file(self._path, MEDIA).exists():
            raise FileNotFoundError(f"{self._path} has no media; audit with media=check")
        return self._table(MEDIA)

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """A row per listed URL and agent.

        Raises FileNotFoundError if there is only one agent: the argument ``agents`` names several.
        """
        if not table_file(self._path, VERDICTS).exists():
            raise FileNotFoundError(f"{self._path} has no verdicts; audit with agents")
        return self._table(VERDICTS)

    @cached_property
    def unlisted_pages(self) -> pd.DataFrame:
        """A row per page that is indexable and linked, and that no sitemap lists.

        Raises FileNotFoundError if links were not recorded: the argument ``links`` does.
        """
        return self._link_table(UNLISTED)

    @property
    def comparison(self) -> pd.DataFrame:
        """A row per difference from the run that this one was compared with.

        Raises FileNotFoundError if it was not compared: the command ``compare`` compares any two
        runs.
        """
        if not table_file(self._path, _COMPARISON).exists():
            raise FileNotFoundError(
                f"{self._path} has not been compared with another run; use sitemapaudit compare"
            )
        return self._table(_COMPARISON)

    def sql(self, query: str, parameters: object = None) -> pd.DataFrame:
        """Run a DuckDB query over the same tables; only the result is read into memory.

        There is one more table: ``alternates``, a row per language alternate of a URL, from
        sitemaps, tags and headers (``url``, ``source``, ``hreflang``, ``code`` in lower case,
        ``href``, ``target``: its URL, ``code_error``, ``sitemap``, ``position``).
        """
        return self._frame(query, parameters)

    def join(self, frame: pd.DataFrame, on: str = "url") -> pd.DataFrame:
        """Return a frame with what the run knows of its URLs: every column of ``urls``.

        ``on`` names the column with the URLs of the frame. They are normalized as the audit
        normalizes them, so that ``HTTP://Example.com:80/%7Ea#b`` finds ``http://example.com/~a``.
        Each row of the frame stays, in its order and with its index. The columns of the run are
        null for a URL that no sitemap lists, or that is not a usable address; their names get
        the suffix ``_run`` if the frame has them too. ``listed`` says whether the run lists it,
        ``listed_url`` is its normal form. Raises KeyError if the frame has no column ``on``, and
        ValueError if it has a column ``listed`` or ``listed_url``.
        """
        from sitemapaudit.datasets.joining import join_urls  # noqa: PLC0415

        return join_urls(frame, on, self.urls)

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """A connection of DuckDB that sees the tables of ``sql``."""
        from sitemapaudit.datasets.database import connect, create_table_views  # noqa: PLC0415
        from sitemapaudit.datasets.relations import LANGUAGE_ALTERNATES  # noqa: PLC0415

        connection = connect()
        create_table_views(connection, self._path, (*TABLES, *OPTIONAL_DATASETS, _COMPARISON))
        connection.execute(f"create view alternates as {LANGUAGE_ALTERNATES}")
        return connection

    def _link_table(self, name: str) -> pd.DataFrame:
        if not table_file(self._path, name).exists():
            raise FileNotFoundError(f"{self._path} has no {name}; audit with links=record")
        return self._table(name)

    def _table(self, name: str) -> pd.DataFrame:
        from sitemapaudit.datasets.database import parquet_rows  # noqa: PLC0415

        return self._frame(f"from {parquet_rows(table_file(self._path, name))}")

    def _frame(self, query: str, parameters: object = None) -> pd.DataFrame:
        # pandas takes half a second to import, and not every use of a run needs it.
        from sitemapaudit.datasets.frames import read_frame  # noqa: PLC0415

        return read_frame(self.connection.execute(query, parameters))

    def __repr__(self) -> str:
        state = "complete" if self._manifest.complete else f"incomplete: {self._manifest.reason}"
        return f"<Run {self._path} ({self._manifest.status}, {state})>"

    def _repr_html_(self) -> str | None:
        return None if display is None else display(self)


display: Callable[[Run], str] | None = None
"""Returns the HTML of a run for notebooks. The package sets it: the report is above the tables."""


def open_run(path: str | Path) -> Run:
    """Open a run folder, or the newest one below ``path``.

    Raises FileNotFoundError if there is none, or if its tables were never built: the command
    ``report`` builds them from the ledger. Raises RunInUseError if another process still has to
    build them.
    """
    folder = find_run(path)
    if not has_tables(folder):
        check_free(folder)
        raise FileNotFoundError(
            f"{folder} has no tables because its run was interrupted;"
            f" build them with sitemapaudit report {folder}"
        )
    return Run(folder)


def open_runs(path: str | Path) -> list[Run]:
    """Open every run at or below ``path``, the oldest first.

    Runs without tables are included: of these only the manifest can be read.
    """
    return [Run(folder) for folder in find_runs(path)]
