"""Tables in order, however many rows they have.

To sort takes memory that grows with the rows, though slowly, even of what goes to disk. So many
rows are sorted in parts, each within a range of the order.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import duckdb

PART: Final = 1_000_000
"""Rows that are sorted at once, more or less."""

_DRAWN: Final = 100
"""Rows a part that are looked at to find where parts begin."""


@dataclass(slots=True, frozen=True)
class Ordered:
    """What a query gives, sorted by ``order``.

    ``key`` is a text of each row, never null, that rises with that order: rows whose keys differ
    stand as their keys do.
    """

    query: str
    order: str
    key: str


def in_order(
    connection: duckdb.DuckDBPyConnection, name: str, wanted: Ordered, part: int = PART
) -> str:
    """Return a query for rows in order; where there are many, make a table ``name`` of them."""
    rows = connection.execute(f"select count(*) from ({wanted.query})").fetchone()
    parts = -(-rows[0] // part) if rows else 1
    if parts <= 1:
        return f"from ({wanted.query}) order by {wanted.order}"
    connection.execute(f"create table {name} as from ({wanted.query}) limit 0")
    bounds = ["", *_cuts(connection, wanted, parts), None]
    for low, high in pairwise(bounds):
        connection.execute(
            f"insert into {name} from ({wanted.query})"
            f" where {wanted.key} >= $low and ($high is null or {wanted.key} < $high)"
            f" order by {wanted.order}",
            {"low": low, "high": high},
        )
    return f"from {name}"


def _cuts(connection: duckdb.DuckDBPyConnection, wanted: Ordered, parts: int) -> list[str]:
    """Return the keys at which parts begin but the first, to judge by some rows."""
    shares = [number / parts for number in range(1, parts)]
    row = connection.execute(
        f"select quantile_disc({wanted.key}, $shares)"
        f" from (from ({wanted.query}) using sample {_DRAWN * parts} rows (reservoir, 0))",
        {"shares": shares},
    ).fetchone()
    return row[0] if row else []
