"""What becomes of every listed URL, and of what its entries say of it: SQL over the tables.

Nothing is invented: what is written stood in an entry or is the target of a
redirect or canonical that was asked for and can be indexed.
"""

from __future__ import annotations

from typing import Final

import duckdb

from sitemapaudit.items import Severity, Verdict

_UNKNOWN: Final = ", ".join(
    f"'{verdict}'" for verdict in (Verdict.UNREACHABLE, Verdict.DENIED, Verdict.SERVER_ERROR)
)
_GRAVE: Final = f"('{Severity.ERROR}', '{Severity.WARNING}')"

# Faults that no sitemap can mend: of the address itself, or of the page, as ``strict`` wants it.
_UNFIT: Final = f"""
    create table unfit as
    with told as (
        select url, rule, subject from findings where url is not null and severity in {_GRAVE}
    ), copies as (
        select url from (
            select url, min(url) over (partition by content_hash) as first
            from told join pages using (url)
            where rule = 'duplicate-content'
        ) where url <> first
    )
    select url, min(rule) as rule
    from (
        select url, rule from told
        where rule in ('loc-too-long', 'loc-session-id', 'page-meta-refresh')
            or ($strict and (subject = 'page' or rule in (
                'duplicate-trailing-slash', 'duplicate-host-scheme', 'hreflang-no-return',
                'hreflang-sources-conflict', 'hreflang-to-non-indexable', 'hreflang-code-invalid',
                'hreflang-duplicate-code', 'hreflang-self-missing'
            )))
        union all
        select url, 'duplicate-content' from copies where $strict
    )
    group by url
"""

_ANSWERS: Final = f"""
    create table answers as
    select url, judged(verdict, rendered_verdict) = '{Verdict.INDEXABLE}'
        and url not in (select url from urls where verdict = '{Verdict.SOFT_404}')
        and url not in (select url from unfit) as indexable
    from pages
"""

_DECIDED: Final = f"""
    create table decided as
    select urls.url, verdict, unfit.rule as unfit, case
            when unfit.rule is not null and verdict = '{Verdict.INDEXABLE}' then null
            when verdict in ('{Verdict.INDEXABLE}', '{Verdict.UNCHECKED}') then urls.url
            when verdict in ({_UNKNOWN}) and $keep_unknown then urls.url
            when verdict = '{Verdict.REDIRECTED}' and final.indexable then final_url
            when verdict = '{Verdict.CANONICALIZED}' and named.indexable then canonical
        end as target
    from urls
    left join answers as final on final.url = final_url
    left join answers as named on named.url = canonical
    left join unfit on unfit.url = urls.url
"""
"""The address that is to stand in the place of each listed one; null if none is."""

# A file whose lastmods are all alike wrote its own time, and not that of the pages.
_ENTRIES: Final = f"""
    create table placed as
    with grave as (
        select sitemap, position, split_part(rule, '-', 1) as family
        from findings
        where severity in {_GRAVE} and position is not null and rule <> 'image-too-many'
        group by all
    ), alike as (
        select sitemap from findings
        where rule = 'lastmod-identical' and sitemap is not null
    )
    select decided.target, decided.url as source, entries.sitemap, entries.position,
        if(
            decided.target = decided.url and lastmod_at <= coalesce(fetched_at, now())
                and sitemap not in (from alike)
                and regexp_matches(entries.lastmod, '^\\s*\\d{{4}}-\\d\\d-\\d\\d'),
            if(
                contains(entries.lastmod, ':'),
                strftime(lastmod_at, '%Y-%m-%dT%H:%M:%SZ'), trim(entries.lastmod)
            ), null
        ) as lastmod,
        lower(stripped(changefreq)) as changefreq,
        stripped(priority) as priority,
        if(list_contains(families, 'image'), [], list_slice(images, 1, 1000)) as images,
        if(list_contains(families, 'video'), [], videos) as videos,
        if(list_contains(families, 'news'), [], news) as news
    from entries
    join decided using (url)
    left join sitemaps using (sitemap)
    left join (
        select sitemap, position, list(family) as families from grave group by sitemap, position
    ) as faults using (sitemap, position)
    where decided.target is not null
"""

_KEPT: Final = """
    create table kept as
    select origin_of(target) as origin, target as url,
        arg_min(sitemap, (sitemap, position)) as sitemap,
        max(lastmod) as lastmod,
        any_value(changefreq) filter (changefreq in (
            'always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never'
        )) as changefreq,
        any_value(priority) filter (try_cast(priority as double) between 0 and 1) as priority,
        coalesce(first(images order by sitemap, position) filter (len(images) > 0), []) as images,
        coalesce(first(videos order by sitemap, position) filter (len(videos) > 0), []) as videos,
        coalesce(first(news order by sitemap, position) filter (len(news) > 0), []) as news
    from placed
    group by target
"""
"""Every address once, with what its entries say of it."""

_LINKS: Final = f"""
    create table links as
    with torn as (
        select url from findings
        where rule in ('hreflang-sources-conflict', 'hreflang-duplicate-code')
            and severity in {_GRAVE}
    )
    select placed.target as url, code, min(written.target) as alternate
    from alternates
    join placed on placed.source = alternates.url
        and placed.sitemap = alternates.sitemap and placed.position = alternates.position
    join decided as written on written.url = alternates.target
    join kept on kept.url = written.target
    where alternates.source = 'sitemap' and fault is null
        and placed.target not in (from torn) and written.target not in (from torn)
    group by placed.target, code
    having count(distinct written.target) = 1
"""

_PRUNED: Final = """
    delete from links as one
    where not exists (
        from links as back where back.url = one.alternate and back.alternate = one.url
    ) or one.url not in (select url from links where url = alternate)
        or one.url not in (select url from links where url <> alternate)
"""
"""Takes away what is not returned, and those that do not name themselves, or nobody else."""

_CLUSTERS: Final = """
    create table clusters as
    select url, list({'code': code, 'href': alternate} order by code) as alternates
    from links group by url
"""

_CHANGES: Final = f"""
    create table changes as
    select url, sitemaps[1] as sitemap, case
            when target is null then 'dropped'
            when verdict = '{Verdict.CANONICALIZED}' then 'replaced by its canonical'
            else 'replaced by its target' end as change,
        target as replacement,
        case verdict
            when '{Verdict.REDIRECTED}' then if(
                target is null, 'redirects to what cannot be indexed', 'redirects'
            )
            when '{Verdict.CANONICALIZED}' then 'names another canonical'
            when '{Verdict.INDEXABLE}' then unfit
            else 'is ' || verdict end as reason
    from decided join (select url, sitemaps from urls) as listed using (url)
    where target is distinct from url
    union all
    select source, sitemap, 'merged', null, 'is listed ' || number || ' times'
    from (
        select source, min(sitemap) as sitemap, count(*) as number
        from placed where source = target group by source
    )
    where number > 1
    union all
    select target, sitemap, 'lastmod dropped', null, 'is not known to be true'
    from (
        select placed.target, min(placed.sitemap) as sitemap
        from placed
        join entries using (sitemap, position) join kept on kept.url = placed.target
        where entries.lastmod is not null and kept.lastmod is null
        group by placed.target
    )
    union all
    select loc, sitemap, 'dropped', null, 'is no address that can be asked for'
    from entries
    where url is null and loc is not null and kind <> 'sitemapindex'
    order by 2, 1, 3
"""


def decide(connection: duckdb.DuckDBPyConnection, *, keep_unknown: bool, strict: bool) -> None:
    """Make the tables ``kept``, ``clusters`` and ``changes``.

    ``keep_unknown`` keeps URLs that answered with a server error, denied the
    auditor or did not answer; else they are dropped. ``strict`` drops those too
    whose pages have faults that are errors or warnings.
    """
    connection.execute(_UNFIT, {"strict": strict})
    connection.execute(_ANSWERS)
    connection.execute(_DECIDED, {"keep_unknown": keep_unknown})
    connection.execute(_ENTRIES)
    connection.execute(_KEPT)
    connection.execute(_LINKS)
    while _number(connection.execute(_PRUNED)):
        pass  # What goes can leave others without a return.
    connection.execute(_CLUSTERS)
    connection.execute(_CHANGES)


def _number(deleted: duckdb.DuckDBPyConnection) -> int:
    row = deleted.fetchone()
    return int(row[0]) if row else 0
