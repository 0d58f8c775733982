"""Relations that query rules use besides the tables: scope, cross-submission, alternates.

They are tables: several rules use each of them, and a view would be planned again for each rule.
"""

from typing import Final

from sitemapaudit.items import ELSEWHERE
from sitemapaudit.verdicts import IS_UNREAD

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

SITE_HOSTS: Final = """
    with hosts as (
        select host_of(url) as host from pages
        union select host_of(url) from urls
        union select host_of(url) from link_nodes
    )
    select distinct host
    from hosts left join link_domains on host = domain or ends_with(host, '.' || domain)
    where domain is not null or (
        host in (select host_of(url) from urls) and not exists (from link_domains)
    )
    union
    select host_of(site) from robots where audited
"""
"""The hosts of the site: the audited ones, and those below the domains of the run.

A run without domains has the hosts of its listed URLs.
"""

INCOMPLETE_ORIGINS: Final = f"""
    with unread as (
        select sitemap from sitemaps where {IS_UNREAD}
    ), counted as (
        select format('{{:,}}', count(*)) || ' of '
            || count_noun((select count(*) from sitemaps), 'sitemap') || ' could not be read'
            as doubt
        from unread
    ), origins as (
        select distinct origin_of(url) as origin, is_listed
        from (
            select url, true as is_listed from urls
            union all select url, false from pages
            union all select canonical, false from pages
        )
    ), searched_hosts as (
        select host_without_www(site) from robots where audited
        union select host_without_www(origin) from origins where is_listed
    ), doubts as (
        select origin_of(sitemap) as origin, doubt from unread cross join counted
        union
        select origin, doubt from authorized_sitemaps semi join unread using (sitemap)
            cross join counted
        union
        select origin, 'its robots.txt declares sitemaps that the audit did not read'
        from declared_sitemaps anti join sitemaps using (sitemap)
        union
        select origin, 'the audit did not search for its sitemaps' from origins
        where not (select searched from run)
            or host_without_www(origin) not in (from searched_hosts)
    )
    select origin, min(doubt) as doubt from doubts where origin is not null group by origin
"""
"""Origins whose sitemaps are not all known, and why: another one may list a URL."""

_ELSEWHERE: Final = ", ".join(f"'{error}'" for error in sorted(ELSEWHERE))

ORIGINS_WITH_ROBOTS: Final = f"""
    select site as origin from robots
    where permission in ('rules', 'all') and coalesce(error not in ({_ELSEWHERE}), true)
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
