"""What runs and websites know about links."""

import atexit
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from sitemapaudit.demo.server import Server
from tests.crawling.links.graphs import Graph

Figures = dict[str, tuple[int | None, int | None, int | None, bool | None]]


def roles(run: Path, origin: str = "") -> dict[str, str]:
    """Return why each page of a run was fetched, by its path; of one origin if it is given."""
    query = f"select regexp_replace(url, '^https?://[^/]*', ''), role from '{run}/pages.parquet'"
    rows = query_rows(f"{query} where role <> 'probe' and starts_with(url, '{origin}')")
    assert len(rows) == len(dict(rows))
    return dict(rows)


def by_path(site: Server) -> Counter[str]:
    """Return how often each path was requested."""
    requests = Counter[str]()
    for address, number in site.requests.items():
        requests["/" + address.partition("/")[2]] += number
    return requests


def check(run: Path, origin: str, graph: Graph) -> None:
    """Compare the tables of a run with what the graph says."""
    rows = query_rows(f"from '{run}/links.parquet'")
    links = {(_path(s, origin), _path(t, origin)): (n, r) for s, t, n, r, _ in rows}
    assert links == graph.edges()
    assert len(links) == len(rows)
    assert figures(run, origin) == graph.figures()


def figures(run: Path, origin: str) -> Figures:
    """Return the inlinks, those to follow, and the clicks of listed URLs; if only orphans link."""
    names = "inlinks, inlinks_follow, clicks, linked_only_from_orphans"
    query = f"select url, {names} from '{run}/urls.parquet'"
    return {_path(url, origin): tuple(rest) for url, *rest in query_rows(query)}


def query_rows(query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query, from a database that all tests of a process share."""
    return _database().execute(query).fetchall()


@cache
def _database() -> duckdb.DuckDBPyConnection:
    atexit.register(_database.cache_clear)  # Otherwise DuckDB's library reports it as a leak.
    return duckdb.connect()


def _path(url: str, origin: str) -> str:
    assert url.startswith(f"{origin}/")
    return url.removeprefix(origin)
