"""The sitemaps of each site: its own, those that it declares, and those that their indexes list."""

from typing import Final

from sitemapaudit.items import Kind

SITE_SITEMAPS: Final = f"""
    with recursive site_sitemaps as (
        (
            select site, sitemap from robots join sitemaps on origin_of(sitemap) = site
            where audited
            union
            select site, declared.url
            from robots, unnest(robots.sitemaps) as lines(declared) where audited
        )
        union
        select site, entries.url from site_sitemaps join entries using (sitemap)
        where entries.kind = '{Kind.SITEMAPINDEX}' and entries.url is not null
    )
"""
"""SQL: the beginning of a query of ``site_sitemaps``: each audited ``site`` with its sitemaps."""
