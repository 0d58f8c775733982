"""The link graph of a site: how many pages link to each URL, and how far it is from the home page.

A link to a URL that redirects is a link to all URLs that it leads to. So is the way there:
redirects do not count as clicks.
"""

from typing import Final

import duckdb

from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.database import create_table_views, sql_string
from sitemapaudit.datasets.parquet import write_table
from sitemapaudit.items import Kind, Region, SitemapSource
from sitemapaudit.pages.links import REGIONS

HOMES: Final = f"""
    select site || '/' as url from robots where audited
    union select origin_of(sitemap) || '/' from sitemaps where source = '{SitemapSource.GIVEN}'
        and kind <> '{Kind.LIST}'
"""
"""The home pages: those of the audited sites, and of the origins of given sitemaps."""

_BUILD_HOMES: Final = "update homes set url = url || $path"

CLICKS: Final = "(id uinteger, clicks bigint)"
"""The clicks from the home page to each URL that can be reached."""

_FRONTIER: Final = "create temp table frontier (id uinteger)"

_HOMES: Final = """
    insert into frontier
    select link_nodes.id from link_nodes
    semi join homes using (url)
"""

_FOLLOW_REDIRECTS: Final = """
    insert into frontier
    select distinct reached from moves semi join frontier using (id)
    where reached not in (select id from frontier)
"""

_REACH: Final = """
    insert into clicks select id, $clicks from frontier anti join clicks using (id)
"""

_SHOW: Final = f"""
    insert into frontier
    select distinct target from edges
    semi join frontier on frontier.id = edges.source
    where region >= {REGIONS.index(Region.FRAME)} and target not in (from frontier)
        and target not in (select id from clicks)
"""
"""Frames, and pages to which others go after some seconds, need no click."""

_NEXT: Final = """
    create or replace temp table frontier as
    select distinct target as id from edges
    semi join (select id from clicks where clicks = $clicks) as last on last.id = edges.source
    anti join clicks on clicks.id = edges.target
"""

INLINKS: Final = """
    with arrivals as (
        select source, reached as target, nofollow
        from edges join moves on moves.id = edges.target
    ), redirected as (
        select distinct target from arrivals
    ), several as (
        from arrivals where source <> target
        union all
        select source, target, nofollow from edges semi join redirected using (target)
    )
    select target as id, count(*) as inlinks, count(*) filter (not nofollow) as inlinks_follow
    from edges anti join redirected using (target)
    group by target
    union all
    select target, count(distinct source), count(distinct source) filter (not nofollow)
    from several group by target
"""
"""The pages that link to each URL. Only where redirects lead can the same page count twice."""

LINK_COUNTS: Final = """
    select url, coalesce(inlinks, 0) as inlinks, coalesce(inlinks_follow, 0) as inlinks_follow,
        clicks, if(
            exists (select id from clicks semi join link_sources using (id) where clicks = 0),
            coalesce(inlinks, 0) > 0 and clicks is null, null
        ) as linked_only_from_orphans
    from listed
    join link_nodes using (url)
    left join inlinks on inlinks.id = link_nodes.id
    left join clicks on clicks.id = link_nodes.id
    where host_of(url) in (
        select host
        from (select distinct host_of(url) as host from listed)
        left join link_domains on host = domain or ends_with(host, '.' || domain)
        where domain is not null or not exists (from link_domains)
    )
"""
"""The figures of the listed URLs; no row if nothing was recorded.

A host outside of the domains of the run has none: links that lead there were not recorded.

If a page that links to a URL could be reached from a home page, so could the URL.
"""

NO_LINK_NODES: Final = "(id uinteger, url varchar)"
NO_INLINKS: Final = "(id uinteger, inlinks bigint, inlinks_follow bigint)"
NO_LINK_COUNTS: Final = (
    "(url varchar, inlinks bigint, inlinks_follow bigint, clicks bigint,"
    " linked_only_from_orphans boolean)"
)
"""The columns of tables that are empty if links were not recorded."""

_ARRIVALS: Final = """
    arrivals as (
        select addresses.url, own, source, nofollow
        from addresses join edges on edges.target = addresses.id
        union all
        select addresses.url, own, source, nofollow
        from addresses
        join moves on moves.reached = addresses.id
        join edges on edges.target = moves.id
    ), counts as (
        select url, count(distinct source) as inlinks,
            count(distinct source) filter (not nofollow) as inlinks_follow
        from arrivals where source <> own group by url
    ), distances as (
        select url, min(clicks) as clicks from addresses left join clicks using (id) group by url
    )
"""
"""SQL: the pages that link to other ``addresses`` of each URL, without the page itself."""

DUPLICATE_LINKS: Final = f"""
    with addresses as (
        select link_nodes.id, pages.canonical as url, canonical.id as own
        from pages
        join link_nodes on link_nodes.url = pages.url
        join link_nodes as canonical on canonical.url = pages.canonical
        where pages.canonical <> pages.url
    ), {_ARRIVALS}
    select url, coalesce(inlinks, 0) as inlinks, coalesce(inlinks_follow, 0) as inlinks_follow,
        clicks
    from distances left join counts using (url)
"""
"""The figures of the pages that declare a URL as their canonical: links to them serve that URL."""

TWIN_LINKS: Final = f"""
    with lost as (
        select urls.url, link_nodes.id, content_hash
        from urls
        join pages using (url)
        join link_nodes using (url)
        where urls.indexable and urls.clicks is null and content_hash is not null
            and (urls.inlinks = 0 or urls.linked_only_from_orphans is not null)
    ), addresses as (
        select link_nodes.id, lost.url, lost.id as own, pages.url as twin
        from lost
        join pages on pages.content_hash = lost.content_hash
        join link_nodes on link_nodes.url = pages.url
        where pages.url <> lost.url and twin_form(pages.url) = twin_form(lost.url)
            and pages.status between 200 and 299
    ), {_ARRIVALS}
    select url, twin, coalesce(inlinks, 0) as inlinks, clicks
    from (select url, min(twin) as twin from addresses group by url)
    join distances using (url)
    left join counts using (url)
    where clicks is not null or (
        inlinks > 0 and not exists (from urls where linked_only_from_orphans is not null)
    )
"""
"""The listed pages that visitors find at another address, which differs in form only.

The addresses differ by a slash at the end, ``index.html``, an extension, ``www.``, the scheme, the
case or the encoding of characters, and the pages have the same text.
"""

MAX_NAMED_AT_ONCE: Final = 200_000
"""URLs whose names fit into the memory of any run: about 40 MB."""

_PART: Final = 1_000_000
"""Links that are sorted and named at once."""

_SOURCES: Final = 1_024
"""Pages whose links are written together, usually: each of their names is written once."""

_SORTED_QUICKLY: Final = 50_000
"""Links that are sorted in a few hundredths of a second."""

_REGION: Final = f"enum({', '.join(map(sql_string, Region))})"
"""The type of a region: to write such a column takes a third of the time of one of texts."""

_REGION_NAME: Final = "case region {} end".format(
    " ".join(
        f"when {number} then {sql_string(region)}::{_REGION}"
        for number, region in enumerate(REGIONS)
    )
)
"""SQL: the name of a region; to take it from the list of all takes four times as long."""

_LINKS: Final = f"""
    create table links (
        source varchar, target varchar, nofollow boolean, region {_REGION}, rendered boolean
    )
"""

_IN_ORDER: Final = " order by edges.source, edges.target"

LINKS: Final = f"""
    select source.url as source, target.url as target, nofollow,
        {_REGION_NAME} as region, rendered
    from edges
    join link_nodes as source on source.id = edges.source
    join link_nodes as target on target.id = edges.target
"""


def fill_clicks(build: Build) -> None:
    """Fill ``clicks`` from ``edges`` and ``moves``, breadth first: a distance at a time."""
    connection = build.connection
    connection.execute(_FRONTIER)
    connection.execute(_HOMES)
    clicks = 0
    while True:
        connection.execute(_FOLLOW_REDIRECTS)
        while connection.execute(_SHOW).fetchall() != [(0,)]:
            connection.execute(_FOLLOW_REDIRECTS)
        connection.execute(_REACH, {"clicks": clicks})
        connection.execute(_NEXT, {"clicks": clicks})
        if not connection.execute("select exists (from frontier)").fetchall()[0][0]:
            return
        clicks += 1


def move_homes(build: Build) -> None:
    """Let the home page of a build that is published below a path be there."""
    if path := build.manifest.build_path:
        build.connection.execute(_BUILD_HOMES, {"path": f"{path[1:]}/"})


def store_links(build: Build, relation: Relation) -> None:
    """Write the links, in the order of their URLs.

    Where the names of all URLs fit into memory, the links are named while they are written, which
    takes a fifth of the time; a join keeps the order of the links if these are more than twice as
    many as the names. A join that does not fit loses the order: then a part is named and sorted at
    a time.
    """
    connection = build.connection
    counts = "select (select count(*) from link_nodes), (select count(*) from edges)"
    ((nodes, edges),) = connection.execute(counts).fetchall()
    if nodes <= MAX_NAMED_AT_ONCE:
        keeps_order = edges > max(_SORTED_QUICKLY, 4 * nodes)
        order = "" if keeps_order else _IN_ORDER
        write_table(build, relation.name, relation.sql + order, _SOURCES)
    else:
        _name_in_parts(connection, relation.sql)
        write_table(build, relation.name, "from links", _SOURCES)
        connection.execute("drop table links")
    create_table_views(connection, build.drafts, [relation.name])


def _name_in_parts(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Create a table of the named links, in order."""
    connection.execute(_LINKS)
    for low, high in _ranges(connection):
        connection.execute(
            f"insert into links {query} where edges.source >= $low and edges.source < $high"
            f"{_IN_ORDER}",
            {"low": low, "high": high},
        )


def _ranges(connection: duckdb.DuckDBPyConnection) -> list[tuple[int, int]]:
    """Return ranges of sources with about a million links each."""
    rows = connection.execute(
        "select min(source), max(source) + 1 from ("
        " select source, (sum(count(*)) over (order by source) - count(*)) // $part as part"
        " from edges group by source"
        ") group by part order by part",
        {"part": _PART},
    ).fetchall()
    return [(low, high) for low, high in rows]
