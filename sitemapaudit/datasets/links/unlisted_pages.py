"""The unlisted pages of a run: indexable, linked and in no sitemap."""

from typing import Final

from sitemapaudit.items import Role, Verdict

UNLISTED_PAGES: Final = f"""
    select pages.url,
        origin_of(pages.url) not in (select origin from incomplete_origins) as certain,
        inlinks.inlinks, inlinks.inlinks_follow, clicks.clicks, section_of(pages.url) as section
    from pages
    join link_nodes on link_nodes.url = pages.url
    join inlinks on inlinks.id = link_nodes.id
    left join clicks on clicks.id = link_nodes.id
    anti join soft_404s on soft_404s.url = pages.url
    where pages.is_html and pages.role not in ('{Role.LISTED}', '{Role.PROBE}')
        and effective_verdict(pages.verdict, pages.rendered_verdict) = '{Verdict.INDEXABLE}'
        and host_of(pages.url) in (from site_hosts) and (
            not regexp_matches(origin_of(pages.url), ':[0-9]+$')
            or origin_of(pages.url) in (select site from robots where audited)
            or origin_of(pages.url) in (select origin_of(url) from urls)
        )
"""
"""They are not ``certain`` if a sitemap that was not read may list them.

Another port of a host is another site, unless URLs of it are listed.
"""
