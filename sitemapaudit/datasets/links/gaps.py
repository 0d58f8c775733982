"""Gaps in the link graph of a run: what was not fetched, not read, or not recorded.

With a gap, a page without recorded links may be linked. So each gap is looked for and counted.
"""

from typing import Final

import duckdb

from sitemapaudit.items import SkipReason, Verdict
from sitemapaudit.pages.links import NO_SOURCES
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS

_SKIPPED: Final = {
    SkipReason.PAGES: "listed pages skipped by pages",
    SkipReason.SAMPLE: "listed pages outside of the sample",
    SkipReason.INCLUDE: "listed pages skipped by include",
    SkipReason.EXCLUDE: "listed pages skipped by exclude",
    SkipReason.SINCE: "listed pages skipped by since",
    SkipReason.SHARD: "listed pages of other shards",
    SkipReason.LIMIT: "listed pages skipped by AUDIT_MAX_URLS",
    SkipReason.HOSTS: "listed pages skipped by AUDIT_MAX_HOSTS",
}

_FAILED: Final = {
    Verdict.BLOCKED: "pages blocked by robots.txt",
    Verdict.UNREACHABLE: "pages without a usable response",
    Verdict.DENIED: "pages to which access is denied",
    Verdict.SERVER_ERROR: "pages with a server error",
}

_NAMES: Final = " ".join(f"when '{key}' then '{text}'" for key, text in {**_SKIPPED}.items())
_FAILURES: Final = " ".join(f"when '{key}' then '{text}'" for key, text in _FAILED.items())

FILES: Final = (
    r"^[^?]*\.(avif|bmp|css|csv|docx?|eot|epub|gif|gz|ico|ics|jpe?g|js|json|md|mjs|mov|mp[34]|ogg"
    r"|pdf|png|pptx?|rar|rst|rtf|svg|tar|tgz|tiff?|ttf|txt|vcf|wasm|wav|webm|webp|woff2?|xlsx?|zip)$"
)
"""A pattern of the addresses of files, which have no links: not to fetch them leaves no gap."""

LINK_GAPS: Final = f"""
    with site_pages as (
        from pages
        where role not in {tuple(map(str, NO_SOURCES))}
            and host_of(url) in (
                select host_of(url) from urls
                union select host_of(site) from robots where audited
            )
    ), read as (
        select site_pages.*, coalesce(recorded, false) as recorded,
            coalesce(capped, false) as capped
        from site_pages
        left join link_nodes using (url)
        left join (
            select id, bool_or(not rendered) as recorded, max(dropped) > 0 as capped
            from link_sources group by id
        ) as sources on sources.id = link_nodes.id
        where is_html
    ), linked as (
        select target as id, bool_and(nofollow) as nofollow from edges group by target
        union all
        select reached, false from moves
    ), unfetched as (
        select id, bool_and(nofollow) as nofollow
        from linked join link_nodes using (id)
        anti join pages using (url)
        where host_of(url) in (select host_of(url) from site_pages)
            and not regexp_matches(url, '{FILES}', 'i')
        group by id
    ), gaps as (
        select 1 as place, case skip_reason {_NAMES} end as reason
        from urls where skip_reason is not null
        union all
        select 2, 'listed pages not fetched' from urls
        where verdict = '{Verdict.UNCHECKED}' and skip_reason is null
        union all
        select 2, 'home pages not fetched'
        from (select site || '/' as url from robots where audited)
        anti join pages using (url)
        anti join urls using (url)
        where host_of(url) in (select host_of(url) from urls)
        union all
        select 3, case verdict {_FAILURES} end from site_pages
        union all
        select 4, 'pages read in part' from read
        where truncated or list_contains(truncated_columns, 'base')
        union all
        select 5, 'pages with more links than are recorded' from read where capped
        union all
        select 6, 'pages whose links are lost' from read
        where not recorded and status between 200 and 299 and noindex is not null
        union all
        select 7, 'pages made by scripts that were not rendered' from read
        where words < {LITTLE_TEXT_WORDS} and scripts > 0 and rendered_ended_at is null
        union all
        select 8, 'pages that were not rendered, on a site where scripts add links' from read
        where words >= {LITTLE_TEXT_WORDS} and scripts > 0 and rendered_ended_at is null
            and exists (from read where rendered_links_added > 0)
        union all
        select 9, 'linked URLs not fetched' from unfetched where not nofollow
        union all
        select 10, 'URLs that only nofollow links lead to' from unfetched where nofollow
    )
    select place, reason, count(*) as number
    from gaps
    where reason is not null
    group by place, reason
    union all
    select 11, 'links whose target is lost', links from link_losses where links > 0
    union all
    select 12, 'runs that were stopped', 1 from run where stopped
"""
"""The reasons, and how many pages, URLs or links each concerns."""


def graph_gaps(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return why the link graph may be incomplete, with counts; empty if it is complete.

    It needs the relations of a run. The reasons are in their order: first what was not fetched.
    """
    query = "select reason, number from link_gaps order by place, reason"
    return dict(connection.execute(query).fetchall())
