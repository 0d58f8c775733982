"""The ``urls`` table: one row, and exactly one verdict, per listed URL."""

from typing import Final

import duckdb

from sitemapaudit import verdicts
from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.database import is_small, ledger_size, sql_string
from sitemapaudit.datasets.groups_of_urls import create_in_groups
from sitemapaudit.datasets.sorting import SortedQuery, create_sorted
from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.items import Kind, RedirectKind, Role, SkipReason, Url, Verdict
from sitemapaudit.items.schema import columns
from sitemapaudit.pages.fingerprint import BITS
from sitemapaudit.urls import readable_host

SOFT_404_SIMILARITY: Final = 0.95
"""Similarity to the response for a probe from which a page is a soft 404."""

_LISTED_ENTRIES: Final = f"kind <> '{Kind.SITEMAPINDEX}' and url is not null"
_ENTRIES: Final = """(
    select kind, url, sitemap, lastmod_at, skip_reason, position, line from entries
) as entries"""
"""The columns of entries that count here: a join of all columns takes twice as long."""

REPEATED_URLS: Final = f"""
    with listed_urls as not materialized (
        select url from entries where {_LISTED_ENTRIES}
    ), similar_keys as (
        select hash(url) as key from listed_urls group by key having count(*) > 1
    )
    select url from listed_urls where hash(url) in (from similar_keys)
    group by url having count(*) > 1
"""
"""The URLs with several entries: hashes are grouped in two thirds of the time of URLs."""

_ONCE: Final = f"""
    select url, [sitemap] as sitemaps, 1::bigint as listings, lastmod_at as lastmod,
        skip_reason, position, line
    from {_ENTRIES} anti join repeated_urls using (url)
    where {_LISTED_ENTRIES}
"""
_SEVERAL_TIMES: Final = f"""
    select url, list(sitemap order by sitemap), sum(listings)::bigint, max(lastmod),
        if(sum(listings) = sum(skipped), min(skip_reason), null),
        arg_min(position, sitemap), arg_min(line, sitemap)
    from (
        select url, sitemap, count(*) as listings, max(lastmod_at) as lastmod,
            count(skip_reason) as skipped, min(skip_reason) as skip_reason,
            min(position) as position, arg_min(line, position) as line
        from {_ENTRIES} semi join repeated_urls using (url)
        where {_LISTED_ENTRIES}
        group by url, sitemap
    )
    group by url
"""
LISTED: Final = f"{_ONCE} union all {_SEVERAL_TIMES}"
"""Every listed URL and the place of its first entry; it is skipped only if all entries are.

Most URLs have one entry. To group all of them takes seven times as long.
"""

_MARK_SAMPLE: Final = f"""
    update listed set skip_reason = '{SkipReason.SAMPLE}'
    where coalesce(skip_reason, '{SkipReason.SHARD}') = '{SkipReason.SHARD}'
        and url not in (select url from sample)
"""

CHAINS: Final = f"""
    with recursive hop as (
        select pages.url as start, 1 as hops, [pages.url] as redirect_chain, target as final_url
        from pages semi join listed using (url)
        where target is not null
        union all
        select start, hops + 1, redirect_chain || [pages.url], pages.target
        from hop join pages on pages.url = hop.final_url
        where pages.target is not null and hops < {MAX_HOPS}
            and not list_contains(hop.redirect_chain, hop.final_url)
    )
    select start as url, max(hops) as hops, arg_max(redirect_chain, hops) as redirect_chain,
        arg_max(final_url, hops) as final_url,
        bool_or(list_contains(redirect_chain, final_url)) as redirect_loop
    from hop
    group by start
"""
"""The redirects from each listed URL to the last known URL, or to where they loop."""

_TEXTS: Final = """
    select url, role, status, effective_verdict(verdict, rendered_verdict) as verdict,
        if(rendered_verdict is null, content_hash, rendered_content_hash) as content_hash,
        if(rendered_verdict is null, fingerprint, rendered_fingerprint) as fingerprint
    from pages
"""
"""The main text of each page, as visitors see it."""

PROBES: Final = f"""
    select origin_of(url) as origin, url as probe, regexp_replace(url, '[^/]*$', '') as home,
        content_hash, fingerprint
    from ({_TEXTS})
    where role = '{Role.PROBE}' and status = 200 and content_hash is not null
"""
"""The texts that hosts send for pages that do not exist.

It is a table, so that the few probes are kept in memory in a join, and not all pages of a host.
"""

SOFT_404S: Final = f"""
    with compared as (
        select url, probe, if(
            texts.content_hash = probes.content_hash, 1,
            1 - 2 * bit_count(xor(unhex(texts.fingerprint)::bit, unhex(probes.fingerprint)::bit))
                / {BITS}
        ) as similarity
        from ({_TEXTS}) as texts join probes on probes.origin = origin_of(texts.url)
        where verdict = '{Verdict.INDEXABLE}' and role <> '{Role.PROBE}'
            and texts.content_hash is not null and url <> probes.home
    )
    from compared
    where similarity >= {SOFT_404_SIMILARITY}
    qualify row_number() over (partition by url order by similarity desc, probe) = 1
"""
"""Pages with the text that their host serves for a URL that cannot exist."""

FINAL_PAGES: Final = """
    select url, status, error from pages where url in (select final_url from chains)
"""
"""The pages at the end of redirects; to join all pages again needs twice the memory."""

_URL_ROWS: Final = f"""
    select *, {verdicts.INDEXABLE} as indexable,
        if(
            verdict = '{Verdict.REDIRECTED}', coalesce(sent_kind, '{RedirectKind.SCRIPT}'), null
        ) as redirect_kind
    from (
        select listed.url,
            if(
                soft_404s.url is null,
                coalesce(
                    effective_verdict(page.verdict, page.rendered_verdict), '{Verdict.UNCHECKED}'
                ),
                '{Verdict.SOFT_404}'
            ) as verdict,
            page.title, page.status, page.elapsed as response_seconds, page.bytes, page.words,
            page.canonical,
            if(
                coalesce(page.verdict, '{Verdict.UNCHECKED}') = '{Verdict.UNCHECKED}',
                listed.skip_reason, null
            ) as skip_reason, page.error, page.redirect_kind as sent_kind,
            coalesce(chains.hops, 0)::bigint as hops,
            chains.redirect_chain, coalesce(chains.redirect_loop, false) as redirect_loop,
            chains.final_url,
            if(chains.url is null, page.status, final.status) as final_status,
            if(chains.url is null, page.error, final.error) as final_error,
            page.noindex, listed.sitemaps, listed.listings, listed.lastmod,
            link_counts.inlinks, link_counts.inlinks_follow, link_counts.clicks,
            link_counts.linked_only_from_orphans
        from listed
        left join pages as page on page.url = listed.url
        left join soft_404s on soft_404s.url = listed.url
        left join chains on chains.url = listed.url
        left join link_counts on link_counts.url = listed.url
        left join final_pages as final on final.url = chains.final_url
    )
"""
_WHOLE: Final = """
    select * replace (
        coalesce(redirect_chain, [url]) as redirect_chain, coalesce(final_url, url) as final_url
    ), readable_url(url) as decoded_url
"""
"""Adds the chains and final URLs of URLs that do not redirect: three more copies of each URL."""

_INTERNATIONAL_HOSTS: Final = """
    select distinct host_of(url) as host from listed where contains(url, 'xn--')
    order by host limit 100
"""

URLS: Final = f"{_WHOLE} from ({_URL_ROWS})"


def store_listed(build: Build, relation: Relation) -> None:
    """Create the table ``listed``, sorted by URL.

    The table ``urls`` is made of it, and has three times as much to sort.
    """
    wanted = SortedQuery(f"from ({relation.sql})", "url", key="url", counted="entries")
    create_sorted(build.connection, relation.name, wanted)


def mark_sample(build: Build) -> None:
    """Note which listed URLs were not fetched because they are not in the sample of the run."""
    if "sample" in build.created:
        build.connection.execute(_MARK_SAMPLE)


def store_urls(build: Build, relation: Relation) -> None:
    """Create ``urls``, in the order of ``listed``.

    With many URLs, it is a view: what a query can add at once is not stored. That is a third of the
    table, and all of it if there are no pages. With few URLs, a view costs each query more.
    """
    _name_hosts(build.connection)
    view = f"create view urls as {_WHOLE} from"
    if is_small(build.runs, "entries"):
        statement = relation.statement
    elif ledger_size(build.runs, "pages"):
        sources = {"listed": "main.listed", "pages": "main.pages"}
        create_in_groups(build.connection, "url_rows", _URL_ROWS, sources)
        statement = f"{view} url_rows"
    else:
        statement = f"{view} ({_unfetched_rows()})"
    build.connection.execute(statement)


def _name_hosts(connection: duckdb.DuckDBPyConnection) -> None:
    """Let ``readable_url`` decode the first hundred international hosts of listed URLs."""
    hosts = [host for (host,) in connection.execute(_INTERNATIONAL_HOSTS).fetchall()]
    if hosts:
        names = (f"{sql_string(host)}: {sql_string(readable_host(host))}" for host in hosts)
        readable = f"coalesce(map {{{', '.join(names)}}}[host], host)"
        connection.execute(f"create or replace macro readable_host(host) as {readable}")


def _unfetched_rows() -> str:
    """Return the query for listed URLs without a fetched page: no join finds anything."""
    values = {name: name for name in ("url", "skip_reason", "sitemaps", "listings", "lastmod")}
    values |= {"verdict": f"'{Verdict.UNCHECKED}'", "hops": "0", "redirect_loop": "false"}
    found = (column for column in columns(Url) if column.name not in ("decoded_url", "rules"))
    written = (f"{values.get(each.name, 'null')}::{each.type} as {each.name}" for each in found)
    return f"select {', '.join(written)} from listed"
