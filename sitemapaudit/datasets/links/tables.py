"""The recorded links of a run as tables of numbers: the base of everything about links.

A URL is a number: its place among all URLs in their order. So tables of millions of links are
small, and the same links give the same tables, however they arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import duckdb

from sitemapaudit import urls
from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.items import Region, Verdict
from sitemapaudit.pages.links import EDGE_BYTES, NO_SOURCES, NOFOLLOW, REGIONS
from sitemapaudit.runs.ledger.link_log import Block, edge_array, read_blocks, read_names
from sitemapaudit.runs.manifest import Manifest

if TYPE_CHECKING:
    from numpy.typing import NDArray

Columns = dict[str, "NDArray[Any]"]
"""The columns of a table by their names."""

LINK_NAMES: Final = "(digest ubigint, url varchar)"
LINK_BLOCKS: Final = "(block uinteger, source ubigint, dropped uinteger, rendered boolean)"
LINK_EDGES: Final = "(block uinteger, target ubigint, flags utinyint)"
"""The columns of what was recorded, as it was recorded."""

LINK_DOMAINS: Final = "(domain varchar)"
"""Links from any page to the hosts of these were recorded; without one, the site is one host."""

_BATCH: Final = 100_000
"""URLs, or blocks of about 50 links, that are loaded at once."""

_BATCH_EDGES: Final = 500_000

_MOVED_BY_SCRIPT: Final = (
    f"rendered_verdict = '{Verdict.REDIRECTED}' and target is null"
    " and rendered_final_url is not null"
)
"""SQL: whether scripts of a page go to another URL, by a row of ``pages``."""

LINK_NODES: Final = f"""
    select (row_number() over () - 1)::uinteger as id, url, digest
    from (
        select url, max(digest) as digest
        from (
            select url, digest from link_names
            union all select url, null from pages
            union all select target, null from pages where target is not null
            union all select rendered_final_url, null from pages where {_MOVED_BY_SCRIPT}
            union all select url, null from listed
        )
        where exists (from link_blocks)
        group by url order by url
    )
"""
"""The URLs of the graph, with their numbers; the digest is known of those that links name."""

LINK_SOURCES: Final = f"""
    select link_nodes.id as id, block, dropped, rendered
    from (
        from link_blocks
        qualify row_number() over (partition by source, rendered order by block desc) = 1
    )
    join link_nodes on link_nodes.digest = source
    join pages using (url)
    where pages.is_html and pages.role not in {tuple(map(str, NO_SOURCES))}
"""
"""The pages with recorded links: the last block of each, as fetched and as rendered."""

NAMED_EDGES: Final = f"""
    select link_sources.id as source, link_nodes.id as target,
        flags >= {NOFOLLOW} as nofollow, (flags % {NOFOLLOW})::utinyint as region,
        rendered
    from link_edges
    join link_sources using (block)
    join link_nodes on link_nodes.digest = link_edges.target
    order by source, target
"""

EDGES: Final = f"""
    select source, target, bool_and(nofollow) as nofollow,
        if(max(region) >= {REGIONS.index(Region.FRAME)}, max(region), min(region)) as region,
        bool_and(rendered) as rendered
    from named_edges
    group by source, target
    order by source, target
"""
"""Each link once, where pages were rendered; ``rendered`` are those that only scripts make."""

MOVES: Final = f"""
    with recursive hop as (
        select url as start, target as here, 1 as hops from pages where target is not null
        union all
        select url, rendered_final_url, 1 from pages where {_MOVED_BY_SCRIPT}
        union all
        select start, pages.target, hops + 1
        from hop join pages on pages.url = hop.here
        where pages.target is not null and hops < {MAX_HOPS} and pages.target <> start
    )
    select distinct link_nodes.id as id, reached.id as reached
    from hop
    join link_nodes on link_nodes.url = hop.start
    join link_nodes as reached on reached.url = hop.here
    where link_nodes.id <> reached.id
"""
"""The URLs that each redirecting URL leads to, through any number of redirects."""
LINK_LOSSES: Final = """
    select (select count(*) from link_edges semi join link_sources using (block))
        - (select count(*) from named_edges) as links
"""
"""The links whose target has no name, because the ledger was damaged."""


def records_links(manifest: Manifest) -> bool:
    """Return whether a run recorded links."""
    return manifest.arguments.get("links") in ("record", "crawl")


def records_no_links(manifest: Manifest) -> bool:
    """Return whether a run recorded no links."""
    return not records_links(manifest)


def fill_link_names(build: Build) -> None:
    """Fill the table ``link_names`` with the URLs that the runs recorded."""
    for run in build.runs:
        for names in _batches(read_names(run), _BATCH):
            insert_names(build.connection, names)


def fill_link_edges(build: Build) -> None:
    """Fill the tables ``link_blocks`` and ``link_edges`` with the links that the runs recorded."""
    first = 0
    for run in build.runs:
        for blocks in _block_batches(read_blocks(run)):
            insert_blocks(build.connection, blocks, first)
            first += len(blocks)


def fill_link_domains(build: Build) -> None:
    """Fill the table ``link_domains``."""
    for domain in build.manifest.link_domains:
        build.connection.execute("insert into link_domains values (?)", [domain])


def store_edges(build: Build, relation: Relation) -> None:
    """Create ``edges``: the named ones, unless links of rendered pages are among them."""
    connection = build.connection
    if connection.execute("select exists (from link_sources where rendered)").fetchone() == (True,):
        connection.execute(f"{relation.statement}; drop table named_edges")
    else:
        connection.execute("alter table named_edges rename to edges")
    connection.execute("truncate link_edges; truncate link_names")


def insert_names(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> None:
    """Insert URLs that links name."""
    _insert(connection, "link_names", _name_columns(names))


def insert_blocks(
    connection: duckdb.DuckDBPyConnection, blocks: Sequence[Block], first: int = 0
) -> None:
    """Insert the links of pages; their numbers begin with ``first``."""
    for table, columns in _block_columns(blocks, first).items():
        _insert(connection, table, columns)


def _batches(values: Iterable[str], size: int) -> Iterator[list[str]]:
    iterator = iter(values)
    while batch := list(islice(iterator, size)):
        yield batch


def _block_batches(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    batch: list[Block] = []
    edges = 0
    for block in blocks:
        batch.append(block)
        edges += len(block.edges) // EDGE_BYTES
        if edges >= _BATCH_EDGES or len(batch) >= _BATCH:
            yield batch
            batch, edges = [], 0
    if batch:
        yield batch


def _name_columns(names: Sequence[str]) -> Columns:
    import numpy as np  # noqa: PLC0415 - few runs record links

    digests = np.fromiter(map(urls.digest, names), np.uint64, len(names))
    return {"digest": digests, "url": np.array(names, dtype=object)}


def _block_columns(blocks: Sequence[Block], first: int) -> dict[str, Columns]:
    import numpy as np  # noqa: PLC0415 - few runs record links

    numbers = np.arange(first, first + len(blocks), dtype=np.uint32)
    edges = edge_array(blocks)
    return {
        "link_blocks": {
            "block": numbers,
            "source": np.array([block.source for block in blocks], np.uint64),
            "dropped": np.array([block.dropped for block in blocks], np.uint32),
            "rendered": np.array([block.rendered for block in blocks], np.bool_),
        },
        "link_edges": {
            "block": np.repeat(numbers, [len(block.edges) // EDGE_BYTES for block in blocks]),
            "target": edges["target"].astype(np.uint64),
            "flags": np.ascontiguousarray(edges["flags"]),
        },
    }


def _insert(connection: duckdb.DuckDBPyConnection, table: str, columns: Columns) -> None:
    connection.register("batch", columns)
    connection.execute(f"insert into {table} from batch")
    connection.unregister("batch")
