"""The recorded links of a run as tables of numbers: the base of everything about links.

A URL is a number: its place among all URLs in their order. So tables of millions of links are
small, and the same links give the same tables, however they arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from io import FileIO
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import duckdb

from sitemapaudit import urls
from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.links.numbered_digests import NumberedDigests
from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.items import Region, Verdict
from sitemapaudit.pages.links import EDGE_BYTES, NO_SOURCES, NOFOLLOW, REGIONS
from sitemapaudit.runs.ledger.link_log import EDGES as EDGES_FILE
from sitemapaudit.runs.ledger.link_log import (
    Block,
    edge_array,
    has_links,
    link_file,
    read_blocks,
    read_names,
)
from sitemapaudit.runs.manifest import Manifest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

Columns = dict[str, "NDArray[Any]"]
"""The columns of a table by their names."""

LINK_NAMES: Final = "(digest ubigint, url varchar)"
LINK_BLOCKS: Final = (
    "(block uinteger, source ubigint, dropped uinteger, rendered boolean, run uinteger,"
    " start ubigint, links uinteger)"
)
"""The columns of what was recorded: ``start`` is the byte of the first link in the file of a run.

The links stay in their files: to copy and to sort them takes half as long as to name them.
"""

LINK_DOMAINS: Final = "(domain varchar)"
"""Links from any page to the hosts of these were recorded; without one, the site is one host."""

_BATCH: Final = 100_000
"""URLs, or pages, that are loaded at once."""

_BATCH_EDGES: Final = 500_000
"""Links that are in memory at once, with some 60 bytes each."""

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
    select link_nodes.id as id, dropped, rendered, run, start, links
    from link_blocks
    semi join (select max(block) as block from link_blocks group by source, rendered) using (block)
    join link_nodes on link_nodes.digest = source
    join pages using (url)
    where pages.is_html and pages.role not in {tuple(map(str, NO_SOURCES))}
    order by id, rendered
"""
"""The pages with recorded links: the last block of each, as fetched and as rendered."""

NAMED_EDGES: Final = "(source uinteger, target uinteger, flags utinyint)"
"""The links between URLs, in the order of their sources and targets."""

_RENDERED: Final = 2 * NOFOLLOW
"""The bit of the flags of links of a rendered page; below it are those of the log."""

_FLAG_BITS: Final = 8
_SOURCE_BITS: Final = 32 + _FLAG_BITS
"""The lowest bits of the parts of a link while it is sorted."""

_NAMED_EDGES_BY_FLAG: Final = f"""
    select source, target, (flags & {NOFOLLOW}) > 0 as nofollow,
        (flags & {NOFOLLOW - 1})::utinyint as region, flags >= {_RENDERED} as rendered
    from named_edges
"""
"""The links with a column for each flag: a table of them takes 1.7 times as long to write."""

_SIZES: Final = """
    select id, sum(links)::bigint as links from link_sources group by id order by id
"""
_NAMED_NODES: Final = "select digest, id from link_nodes where digest is not null order by digest"
_PART: Final = """
    select id, rendered, run, start, links from link_sources
    where id between $first and $last
    order by id, rendered
"""

EDGES: Final = f"""
    select source, target, bool_and(nofollow) as nofollow,
        if(max(region) >= {REGIONS.index(Region.FRAME)}, max(region), min(region)) as region,
        bool_and(rendered) as rendered
    from ({_NAMED_EDGES_BY_FLAG})
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
    select (select coalesce(sum(links), 0)::bigint from link_sources)
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
        for names in _batches(read_names(run)):
            _insert(build.connection, "link_names", _name_columns(names))


def fill_link_blocks(build: Build) -> None:
    """Fill the table ``link_blocks`` with the pages whose links the runs recorded."""
    first = 0
    for number, run in enumerate(build.runs):
        for blocks in _batches(map(_row_of, read_blocks(run))):
            _insert(build.connection, "link_blocks", _block_columns(blocks, first, number))
            first += len(blocks)


def fill_named_edges(build: Build) -> None:
    """Fill the table ``named_edges`` with the recorded links whose target has a name.

    In numpy, finding the targets and sorting them takes a tenth of the time of a join.
    """
    nodes = NumberedDigests(_fetch_columns(build.connection, _NAMED_NODES))
    if not len(nodes):
        return
    with ExitStack() as stack:
        files = {
            number: stack.enter_context(link_file(run, EDGES_FILE).open("rb", buffering=0))
            for number, run in enumerate(build.runs)
            if has_links(run)
        }
        for first, last in _source_ranges(build.connection):
            sources = _fetch_columns(build.connection, _PART, {"first": first, "last": last})
            edges = edge_array(_read_edges(files, sources))
            _insert(build.connection, "named_edges", _edge_columns(sources, edges, nodes))


def _source_ranges(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, int]]:
    """Yield the first and the last number of sources that have about a batch of links.

    A source counts as a link, too, because the sources of a batch are limited.
    """
    import numpy as np  # noqa: PLC0415 - few runs record links

    sizes = _fetch_columns(connection, _SIZES)
    parts = np.cumsum(sizes["links"] + 1) // _BATCH_EDGES
    firsts = np.flatnonzero(np.diff(parts, prepend=-1))
    lasts = np.append(firsts[1:], len(parts)) - 1
    for first, last in zip(firsts, lasts, strict=True):
        yield int(sizes["id"][first]), int(sizes["id"][last])


def _read_edges(files: Mapping[int, FileIO], sources: Columns) -> list[bytes]:
    """Return the links of some rows of ``link_sources``, read in the order of the files."""
    import numpy as np  # noqa: PLC0415 - few runs record links

    parts = [b""] * len(sources["id"])
    for place in np.lexsort((sources["start"], sources["run"])):
        file = files[int(sources["run"][place])]
        file.seek(int(sources["start"][place]))
        parts[place] = file.read(int(sources["links"][place]) * EDGE_BYTES)
    return parts


def _edge_columns(sources: Columns, edges: NDArray[np.void], nodes: NumberedDigests) -> Columns:
    """Return the columns of ``named_edges`` for some rows of ``link_sources``, in their order.

    A link is one number while it is sorted: the place of its source, its target, and its flags. To
    sort the places of the links takes twice as long.
    """
    import numpy as np  # noqa: PLC0415 - few runs record links

    ids, places = np.unique(sources["id"], return_inverse=True)
    rendered = sources["rendered"] * np.uint64(_RENDERED)
    starts = places.astype(np.uint64) << np.uint64(_SOURCE_BITS) | rendered
    links = np.repeat(starts, sources["links"]) | edges["flags"]
    targets, is_known = nodes.find(edges["target"].astype(np.uint64))
    links |= targets.astype(np.uint64) << np.uint64(_FLAG_BITS)
    links = links[is_known]
    links.sort(kind="stable")  # They are in order but for the links of each source.
    return {
        "source": ids[links >> np.uint64(_SOURCE_BITS)],
        "target": (links >> np.uint64(_FLAG_BITS)).astype(np.uint32),
        "flags": links.astype(np.uint8),
    }


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
        connection.execute(f"create view {relation.name} as {_NAMED_EDGES_BY_FLAG}")
    connection.execute("truncate link_blocks; truncate link_names")


def _batches(values: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(values)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


def _name_columns(names: Sequence[str]) -> Columns:
    import numpy as np  # noqa: PLC0415 - few runs record links

    digests = np.frombuffer(b"".join(map(urls.digest_bytes, names)), ">u8").astype(np.uint64)
    return {"digest": digests, "url": np.array(names, dtype=object)}


def _row_of(block: Block) -> tuple[int, int, int, int, int]:
    """Return what the table says of a block; its links stay in the file."""
    links = len(block.edges) // EDGE_BYTES
    return block.source, block.dropped, block.rendered, block.end - len(block.edges), links


def _block_columns(
    blocks: Sequence[tuple[int, int, int, int, int]], first: int, run: int
) -> Columns:
    import numpy as np  # noqa: PLC0415 - few runs record links

    names = ("source", "dropped", "rendered", "start", "links")
    return {
        "block": np.arange(first, first + len(blocks), dtype=np.uint32),
        "run": np.full(len(blocks), run, np.uint32),
        **dict(zip(names, np.array(blocks, np.uint64).T, strict=True)),
    }


def _fetch_columns(
    connection: duckdb.DuckDBPyConnection, query: str, values: dict[str, int] | None = None
) -> Columns:
    """Return the columns of a query; no value is null."""
    return cast("Columns", connection.execute(query, values).fetchnumpy())


def _insert(connection: duckdb.DuckDBPyConnection, table: str, columns: Columns) -> None:
    connection.register("batch", columns)
    connection.execute(f"insert into {table} by name from batch")
    connection.unregister("batch")
