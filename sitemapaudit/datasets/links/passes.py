"""Linked URLs that a shard has not fetched, because other shards found them."""

import re
from typing import Final

import duckdb

from sitemapaudit.runs.manifest import Manifest

_UNFETCHED: Final = """
    with scope as (
        select host_of(url) as host from listed
        union
        select host_of(site) from robots where audited
    ), linked as (
        select target as id from edges where not nofollow
        union
        select reached from moves
    )
    select url from linked join link_nodes using (id) anti join pages using (url)
    where host_of(url) in (from scope)
"""


def count_waiting_links(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> int:
    """Return how many linked URLs another pass of the shards would fetch."""
    if not manifest.shards or manifest.arguments.get("links") != "crawl":
        return 0
    include, exclude = (
        re.compile(str(pattern)) if (pattern := manifest.arguments.get(name)) else None
        for name in ("include", "exclude")
    )
    waiting = 0
    cursor = connection.execute(_UNFETCHED)
    while rows := cursor.fetchmany(10_000):
        waiting += sum(
            (include is None or bool(include.search(url)))
            and not (exclude is not None and exclude.search(url))
            for (url,) in rows
        )
    return max(0, waiting - sum(manifest.unfollowed.values()))
