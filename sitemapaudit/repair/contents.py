"""Builds the content of the repaired entries, as SQL over the tables and the decisions.

A URL that is listed several times is written once, with its latest lastmod, and with the images,
videos and news of the first entry that has any.
"""

from dataclasses import fields
from typing import Final

import duckdb

from sitemapaudit.items import Kind, Video
from sitemapaudit.repair.decisions import SEVERE
from sitemapaudit.sitemaps.w3c_dates import EARLIEST

MAX_IMAGES: Final = 1_000
"""Images per entry (Google, Image sitemaps)."""

_REQUIRED: Final = "('thumbnail_loc', 'description')"
"""Elements without which search engines ignore a video."""

_FREQUENCIES: Final = "('always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never')"

# The evidence of findings on images and videos names the invalid one of the entry.
_INVALID: Final = f"""
    create table invalid as
    with severe as (
        select sitemap, position, rule, split_part(rule, '-', 1) as family,
            (evidence->>'$.ordinal')::bigint as ordinal, evidence->>'$.element' as element,
            rule = 'video-value-invalid' and element not in {_REQUIRED} as is_optional
        from findings
        where severity in {SEVERE} and position is not null and rule <> 'image-too-many'
    )
    select sitemap, position,
        list(distinct ordinal) filter (family = 'image') as image_ordinals,
        list(distinct ordinal) filter (family = 'video' and not is_optional) as video_ordinals,
        list(distinct ordinal || ' ' || element) filter (is_optional) as video_values,
        min(rule) filter (family = 'image') as image_rule,
        min(rule) filter (family = 'video') as video_rule,
        min(rule) filter (family = 'news') as news_rule
    from severe
    where family in ('image', 'video', 'news')
    group by sitemap, position
"""

_IDENTICAL: Final = """
    create table identical as
    select sitemap from findings
    where rule = 'lastmod-identical' and sitemap is not null
"""
"""Files with identical lastmods, which are the time of the file, not of its pages."""

_PLACED: Final = f"""
    create table placed as
    select decided.target, decided.url as source, entries.sitemap, entries.position,
        if(
            decided.target = decided.url
                and lastmod_at between '{EARLIEST}' and coalesce(fetched_at, now())
                and sitemap not in (from identical)
                and (
                    entries.kind = '{Kind.RSS}'  -- A date of RFC 822 has a day.
                    or regexp_matches(entries.lastmod, '^\\s*\\d{{4}}-\\d\\d-\\d\\d')
                ),
            if(
                contains(entries.lastmod, ':'),
                strftime(lastmod_at, '%Y-%m-%dT%H:%M:%SZ'), trimmed(entries.lastmod)
            ), null
        ) as lastmod,
        if(lower(trimmed(changefreq)) in {_FREQUENCIES}, lower(trimmed(changefreq)), null)
            as changefreq,
        if(
            regexp_full_match(trimmed(priority), '\\+?(\\d+(\\.\\d*)?|\\.\\d+)')
                and try_cast(trimmed(priority) as double) <= 1,
            trimmed(priority), null
        ) as priority,
        list_slice(without(images, image_ordinals), 1, {MAX_IMAGES}) as images,
        without(without_values(videos, video_values), video_ordinals) as videos,
        if(news_rule is null, news, []) as news,
        entries.lastmod as was_lastmod, lastmod_at, fetched_at, entries.kind,
        sitemap in (from identical) as lastmod_identical,
        entries.changefreq as was_changefreq, entries.priority as was_priority,
        len(entries.images) as was_images, len(entries.videos) as was_videos,
        len(entries.news) as was_news, unknown_elements, repeated_elements,
        list_filter(video_values, lambda each: not coalesce(
            list_contains(video_ordinals, split_part(each, ' ', 1)::bigint), false
        )) as video_values,
        coalesce(len(image_ordinals), 0) as invalid_images, image_rule, video_rule, news_rule,
        list_filter(alternates, lambda link: not is_language_alternate(link)) as no_alternates
    from entries
    join decided using (url)
    left join sitemaps using (sitemap)
    left join invalid using (sitemap, position)
    where decided.target is not null and entries.kind <> 'sitemapindex'
"""
"""Every entry of a kept or replaced URL, with its valid and its original values."""

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
"""The URLs to write, each once with the merged values of its entries."""

_DESTINATIONS: Final = """
    create table destinations as
    select url, target from decided
    union all
    select url, url from kept where url not in (select url from decided)
"""
"""The URL that is written for each listed URL; other written URLs stand for themselves."""

_LINKS: Final = f"""
    create table conflicting as
    select url, min(rule) as rule from findings
    where rule in ('hreflang-sources-conflict', 'hreflang-duplicate-code')
        and severity in {SEVERE} and url is not null
    group by url;

    create table links as
    select placed.target as url, code,
        if(count(distinct linked.target) = 1, any_value(linked.target), null) as alternate
    from alternates
    join placed on placed.source = alternates.url
        and placed.sitemap = alternates.sitemap and placed.position = alternates.position
    join destinations as linked on linked.url = alternates.target
    join kept on kept.url = linked.target
    where alternates.source = 'sitemap' and code_error is null
        and placed.target not in (select url from conflicting)
        and linked.target not in (select url from conflicting)
    group by placed.target, code
"""
"""The language alternates to write, and the URLs with conflicting alternates.

The alternate of a code with several targets is null: it is not written.
"""

_PRUNED: Final = """
    delete from links as one
    where one.alternate is not null and (
        not exists (
            from links as back where back.url = one.alternate and back.alternate = one.url
        )
        or one.url not in (select url from links where url = alternate)
        or one.url not in (select url from links where url <> alternate)
    )
"""
"""Removes links without a return link, and those of pages that only link to themselves, or not to
themselves.
"""

_CLUSTERS: Final = """
    create table clusters as
    select url, list({'code': code, 'href': alternate} order by code) as alternates
    from links where alternate is not null group by url
"""

_VIDEO: Final = ", ".join(
    f"{each.name}: if(list_contains(omitted, place || ' {each.name}'),"
    f" {'list_slice(video.tag, 1, 32)' if each.name == 'tag' else 'null'}, video.{each.name})"
    for each in fields(Video)
)
"""The members of a video without values that search engines ignore; the first tags count."""

_MACROS: Final = f"""
    create or replace macro without(items, ordinals) as if(
        ordinals is null, items,
        list_filter(items, lambda item, place: not list_contains(ordinals, place))
    );
    create or replace macro without_values(videos, omitted) as if(
        omitted is null, videos,
        list_filter(
            list_transform(videos, lambda video, place: {{{_VIDEO}}}),
            lambda video: coalesce(video.content_loc, video.player_loc, '') <> ''
        )
    );
"""
"""A video without a place of its content is not kept."""


def build_contents(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables ``placed``, ``kept``, ``destinations``, ``links`` and ``clusters``."""
    connection.execute(_MACROS)
    for statement in (_INVALID, _IDENTICAL, _PLACED, _KEPT, _DESTINATIONS, _LINKS):
        connection.execute(statement)
    while connection.execute(_PRUNED).fetchall() != [(0,)]:
        pass  # A deleted link may have been the return link of another link.
    connection.execute(_CLUSTERS)
