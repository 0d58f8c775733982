"""Relations that query rules use besides the tables: scope, cross-submission, alternates.

They are tables: several rules use each of them, and a view would be planned again for each rule.
"""

from typing import Final

SITEMAP_FILES: Final = """
    select *, origin_of(address) as origin, directory_of(address) as directory
    from (select *, coalesce(final_url, sitemap) as address from sitemaps)
"""
"""The sitemaps with the URL that responded: it defines their scope (sitemaps.org, "Location")."""

DECLARED_SITEMAPS: Final = """
    select distinct site as origin, line.url as sitemap
    from robots, unnest(sitemaps) as lines(line)
    where line.url is not null
"""
"""The sitemaps that the robots.txt of each origin declares."""

AUTHORIZED_SITEMAPS: Final = """
    with recursive covered as (
        select origin, sitemap from declared_sitemaps
        union
        select declared_sitemaps.origin, sitemap_files.sitemap
        from declared_sitemaps
        join sitemap_files on sitemap_files.address = declared_sitemaps.sitemap
        union
        select covered.origin, entries.url
        from covered join entries on entries.sitemap = covered.sitemap
        where entries.kind = 'sitemapindex' and entries.url is not null
    )
    from covered
"""
"""The sitemaps that the robots.txt of each origin declares, directly or through an index.

Such a sitemap may list URLs of that origin (sitemaps.org, "Sitemaps & Cross-Submits").
"""

INCOMPLETE_ORIGINS: Final = """
    with doubtful as (
        select sitemap from sitemaps
        where error is not null or xml_error is not null or truncated or gzip_error is not null
            or (status not between 200 and 299 and status not in (404, 410))
    )
    select origin_of(sitemap) as origin from doubtful
    union
    select origin from authorized_sitemaps semi join doubtful using (sitemap)
    union
    select origin_of(url) from urls where not (select searched from run)
"""
"""Origins whose sitemaps could not all be read."""

ORIGINS_WITH_ROBOTS: Final = """
    select site as origin from robots where permission in ('rules', 'all')
"""
"""Origins whose robots.txt was read: it is known whether they declare a sitemap."""

CROSS_ORIGIN_ENTRIES: Final = """
    select url, sitemap, position, entries.kind, loc,
        sitemap_files.origin as sitemap_origin, origin_of(entries.url) as origin
    from entries join sitemap_files using (sitemap)
    where url is not null and not starts_with(url, sitemap_files.origin || '/')
"""
"""Entries whose URL has another origin than the sitemap that lists it."""

LANGUAGE_ALTERNATES: Final = """
    select url, alternate.source, alternate.hreflang,
        lower(trimmed(alternate.hreflang)) as code, alternate.href, alternate.url as target,
        alternate.code_error, sitemap, position
    from (
        select url, unnest(alternates) as alternate, sitemap, position
        from entries
        where kind <> 'sitemapindex' and url is not null
        union all
        select url, unnest(alternates), null, null
        from pages
        where status between 200 and 299 and challenge is null and error is null
    )
    where is_language_alternate(alternate)
"""
"""The language alternates of every URL, from sitemaps, tags and headers."""
