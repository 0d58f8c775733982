"""Sorted tables of any number of rows.

Sorting needs memory that grows with the rows, even if most of it goes to disk. Large tables are
sorted in parts, each of them a range of the order.
"""

from itertools import pairwise
from typing import Final

import duckdb
from msgspec import Struct

PART: Final = 1_000_000
"""Rows that are sorted at once, approximately."""

_SAMPLED: Final = 100
"""Rows per part that are sampled to find where parts begin."""


class SortedQuery(Struct, frozen=True):
    """A query whose rows are sorted by ``order``.

    ``key`` is a text per row, never null, that rises with that order: rows with different keys are
    in the order of their keys. ``counted`` is a table that is as long, or longer, if counting the
    rows of the query takes long.
    """

    query: str
    order: str
    key: str
    counted: str | None = None


def sort_rows(
    connection: duckdb.DuckDBPyConnection, name: str, sorted_query: SortedQuery, part: int = PART
) -> str:
    """Return a query for sorted rows; if there are many, create a table ``name`` of them."""
    counted = sorted_query.counted or f"({sorted_query.query})"
    rows = connection.execute(f"select count(*) from {counted}").fetchone()
    parts = -(-rows[0] // part) if rows else 1
    if parts <= 1:
        return f"from ({sorted_query.query}) order by {sorted_query.order}"
    connection.execute(f"create table {name} as from ({sorted_query.query}) limit 0")
    bounds = ["", *_split_keys(connection, sorted_query, parts), None]
    for low, high in pairwise(bounds):
        connection.execute(
            f"insert into {name} from ({sorted_query.query})"
            f" where {sorted_query.key} >= $low and ($high is null or {sorted_query.key} < $high)"
            f" order by {sorted_query.order}",
            {"low": low, "high": high},
        )
    return f"from {name}"


def create_sorted(
    connection: duckdb.DuckDBPyConnection, name: str, sorted_query: SortedQuery
) -> None:
    """Create a table of sorted rows."""
    query = sort_rows(connection, name, sorted_query)
    if query != f"from {name}":
        connection.execute(f"create table {name} as {query}")


def _split_keys(
    connection: duckdb.DuckDBPyConnection, sorted_query: SortedQuery, parts: int
) -> list[str]:
    """Return the first keys of all parts but the first, estimated from a sample."""
    shares = [number / parts for number in range(1, parts)]
    row = connection.execute(
        f"select quantile_disc(key, $shares)"
        f" from (select {sorted_query.key} as key from ({sorted_query.query}))"
        f" using sample {_SAMPLED * parts} rows (reservoir, 0)",
        {"shares": shares},
    ).fetchone()
    return row[0] if row else []
