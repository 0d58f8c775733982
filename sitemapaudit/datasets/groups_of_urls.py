"""Tables that are made in groups of URLs: the memory of a join grows with its rows."""

from collections.abc import Mapping
from typing import Final

import duckdb

URLS_AT_ONCE: Final = 1_000_000
"""URLs that are joined or grouped at once, approximately."""


def create_in_groups(
    connection: duckdb.DuckDBPyConnection, table: str, query: str, sources: Mapping[str, str]
) -> None:
    """Create a table with the rows of a query, and join or group only a part of the URLs at once.

    ``sources`` are the relations in the query, by the name that it gives them, which are divided by
    their column ``url``; their rows with different URLs must not depend on each other. The first of
    them has the URLs that are counted.
    """
    counted = next(iter(sources.values()))
    (rows,) = connection.execute(f"select count(*) from {counted}").fetchall()[0]
    groups = -(-rows // URLS_AT_ONCE)
    if groups <= 1:
        connection.execute(f"create table {table} as {query}")
        return
    connection.execute(f"create table {table} as {query} limit 0")
    own = "where hash(url) % $groups::ubigint = $number::ubigint"
    parts = (
        f"{name} as not materialized (from {source} {own})" for name, source in sources.items()
    )
    statement = f"insert into {table} with {', '.join(parts)} {query}"
    for number in range(groups):
        connection.execute(statement, {"groups": groups, "number": number})
