"""Two run folders → the URLs that really changed; the runs are not modified."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import duckdb
from msgspec import Struct

from sitemapaudit.comparison.attached_runs import attach_run, describe_status
from sitemapaudit.comparison.changed_urls import (
    COUNT_UNKNOWN,
    Change,
    ChangedUrl,
    create_changed_urls,
)
from sitemapaudit.datasets.formats.csv_files import write_csv
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.usable_tables import usable_tables
from sitemapaudit.items.schema import columns
from sitemapaudit.runs.manifest import Manifest

TABLE: Final = "changed_urls"

_MEMORY_FACTOR: Final = 2
"""The texts of two runs are joined."""

T = TypeVar("T")


class Changed(Struct, frozen=True):
    """The changes in numbers, with examples.

    ``examples`` has the first URLs of each change, with the previous or final URL if there is one.
    ``unknown`` counts the URLs that one of the runs did not fetch, ``submitted`` those that search
    engines should learn about.
    """

    counts: Mapping[Change, int]
    examples: Mapping[Change, Sequence[tuple[str, str | None]]]
    unknown: int
    submitted: int


def find_changed(
    old: Path,
    new: Path,
    memory: int,
    min_change: float,
    use: Callable[[duckdb.DuckDBPyConnection], T],
) -> T:
    """Return the result of ``use`` for the table ``changed_urls`` (``ChangedUrl``) of two runs.

    ``memory`` is in megabytes; ``use`` is called again if it does not suffice. ``min_change`` is
    the share of differing three-word sequences, from 0 to 1, at which content counts as changed.
    Raises OSError or ValueError if a run has no readable manifest, or unusable tables.
    """
    manifests = {"old": Manifest.read(old), "new": Manifest.read(new)}

    def work(connection: duckdb.DuckDBPyConnection) -> T:
        for schema, run in (("old", old), ("new", new)):
            attach_run(connection, schema, run)
            describe_status(connection, schema, manifests[schema])
        create_changed_urls(connection, min_change)
        return use(connection)

    with usable_tables(old, new):
        return run_with_memory_limit(_MEMORY_FACTOR * memory, new, work, "Finding changes", [old])


def count_changed(connection: duckdb.DuckDBPyConnection, examples: int) -> Changed:
    """Return the numbers, with up to ``examples`` URLs of each change."""
    query = connection.execute
    counts = query(f"select change, count(*) from {TABLE} group by 1").fetchall()
    shown = query(
        f"select change, url, coalesce(previous_url, final_url) from {TABLE}"
        " qualify row_number() over (partition by change order by url) <= $examples order by url",
        {"examples": examples},
    ).fetchall()
    numbers = {Change(change): number for change, number in counts}
    return Changed(
        {change: numbers[change] for change in Change if change in numbers},
        {
            change: [(url, other) for kind, url, other in shown if kind == change]
            for change in Change
        },
        _number(connection, COUNT_UNKNOWN),
        _number(connection, f"select count(*) from {TABLE} where submit"),
    )


def write_changed(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Write the table as CSV. Raises OSError or duckdb.IOException."""
    types = {column.name: column.type for column in columns(ChangedUrl)}
    write_csv(connection, types, TABLE, file)


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    row = connection.execute(query).fetchone()
    return int(row[0]) if row else 0
