"""What stands in the repaired entries: SQL over the tables, and over what was decided.

An address that is listed several times is listed once, with the latest lastmod, and with the
images, videos and news of its first entry that has some.
"""

from __future__ import annotations

from typing import Final

import duckdb

from sitemapaudit.repair.decisions import GRAVE

MAX_IMAGES: Final = 1_000
"""Images of an entry (Google, Image sitemaps)."""

_FREQUENCIES: Final = "('always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never')"

# Findings on images and videos say which of an entry they are about.
_FAULTS: Final = f"""
    create table faults as
    with told as (
        select sitemap, position, rule, split_part(rule, '-', 1) as family,
            (evidence->>'$.ordinal')::bigint as ordinal
        from findings
        where severity in {GRAVE} and position is not null and rule <> 'image-too-many'
    )
    select sitemap, position,
        list(distinct ordinal) filter (family = 'image') as image_ordinals,
        list(distinct ordinal) filter (family = 'video') as video_ordinals,
        min(rule) filter (family = 'image') as image_rule,
        min(rule) filter (family = 'video') as video_rule,
        min(rule) filter (family = 'news') as news_rule
    from told
    where family in ('image', 'video', 'news')
    group by sitemap, position
"""

_ALIKE: Final = """
    create table alike as
    select distinct sitemap from findings
    where rule = 'lastmod-identical' and sitemap is not null
"""
"""Files whose lastmods are all alike: they wrote their own time, and not that of the pages."""

_PLACED: Final = f"""
    create table placed as
    select decided.target, decided.url as source, entries.sitemap, entries.position,
        if(
            decided.target = decided.url and lastmod_at <= coalesce(fetched_at, now())
                and sitemap not in (from alike)
                and regexp_matches(entries.lastmod, '^\\s*\\d{{4}}-\\d\\d-\\d\\d'),
            if(
                contains(entries.lastmod, ':'),
                strftime(lastmod_at, '%Y-%m-%dT%H:%M:%SZ'), stripped(entries.lastmod)
            ), null
        ) as lastmod,
        if(lower(stripped(changefreq)) in {_FREQUENCIES}, lower(stripped(changefreq)), null)
            as changefreq,
        if(
            regexp_full_match(stripped(priority), '\\+?(\\d+(\\.\\d*)?|\\.\\d+)')
                and try_cast(stripped(priority) as double) <= 1,
            stripped(priority), null
        ) as priority,
        list_slice(without(images, image_ordinals), 1, {MAX_IMAGES}) as images,
        without(videos, video_ordinals) as videos,
        if(news_rule is null, news, []) as news,
        entries.lastmod as was_lastmod, lastmod_at, fetched_at,
        sitemap in (from alike) as alike,
        entries.changefreq as was_changefreq, entries.priority as was_priority,
        len(entries.images) as was_images, len(entries.videos) as was_videos,
        len(entries.news) as was_news, entries.unknown, repeated,
        coalesce(len(image_ordinals), 0) as invalid_images, image_rule, video_rule, news_rule,
        list_filter(alternates, lambda link: not is_alternate(link)) as no_alternates
    from entries
    join decided using (url)
    left join sitemaps using (sitemap)
    left join faults using (sitemap, position)
    where decided.target is not null and entries.kind <> 'sitemapindex'
"""
"""Every entry whose address has a place, with what of it is valid, and with what it was."""

_KEPT: Final = """
    create table kept as
    select origin_of(target) as origin, target as url,
        arg_min(sitemap, (sitemap, position)) as sitemap,
        max(lastmod) as lastmod,
        arg_min(changefreq, (sitemap, position)) as changefreq,
        arg_min(priority, (sitemap, position)) as priority,
        coalesce(arg_min(images, (sitemap, position)) filter (len(images) > 0), []) as images,
        coalesce(arg_min(videos, (sitemap, position)) filter (len(videos) > 0), []) as videos,
        coalesce(arg_min(news, (sitemap, position)) filter (len(news) > 0), []) as news
    from placed
    group by target
"""
"""Every address once, with what its entries say of it."""

_LINKS: Final = f"""
    create table torn as
    select url, min(rule) as rule from findings
    where rule in ('hreflang-sources-conflict', 'hreflang-duplicate-code')
        and severity in {GRAVE} and url is not null
    group by url;

    create table links as
    select placed.target as url, code, min(written.target) as alternate
    from alternates
    join placed on placed.source = alternates.url
        and placed.sitemap = alternates.sitemap and placed.position = alternates.position
    join decided as written on written.url = alternates.target
    join kept on kept.url = written.target
    where alternates.source = 'sitemap' and fault is null
        and placed.target not in (select url from torn)
        and written.target not in (select url from torn)
    group by placed.target, code
    having count(distinct written.target) = 1
"""
"""The language alternates that may stand, and the addresses whose alternates contradict them."""

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

_MACROS: Final = """
    create or replace macro without(items, ordinals) as if(
        ordinals is null, items,
        list_filter(items, lambda item, place: not list_contains(ordinals, place))
    );
    create or replace macro is_alternate(link) as coalesce(
        list_contains(regexp_split_to_array(lower(link.rel), '\\s+'), 'alternate')
            and stripped(link.hreflang) <> '', false
    );
"""


def fill(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables ``placed``, ``kept``, ``links`` and ``clusters`` from what was decided."""
    connection.execute(_MACROS)
    for statement in (_FAULTS, _ALIKE, _PLACED, _KEPT, _LINKS):
        connection.execute(statement)
    while _number(connection.execute(_PRUNED)):
        pass  # What goes can leave others without a return.
    connection.execute(_CLUSTERS)


def _number(deleted: duckdb.DuckDBPyConnection) -> int:
    row = deleted.fetchone()
    return int(row[0]) if row else 0
