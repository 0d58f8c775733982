from typing import Final

from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import BUILD, BUILDS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE, PROTOCOL
from sitemapaudit.urls.reserved_hosts import RESERVED_HOST

_DOMAIN: Final = "regexp_extract(host_of({}), '[^.]+[.][^.]+[.]?$')"
"""SQL: the last two labels of the host of a URL."""


class BuiltForOtherHost(QueryRule):
    """Build names another host than that of the site

    When: a build folder is audited (``folder=``), and one of its addresses (a loc, a ``Sitemap``
    line of robots.txt, a canonical, an hreflang alternate) is on a host of another domain that
    search engines cannot reach: the machine itself, a private address, example.com; or all locs of
    all sitemaps are on other hosts. One finding per host, with the number of its addresses.

    Why: The build was made with the address of a local server, with a default, or for another
    site. Deployed like this, search engines drop the entries, or index the other host.

    Fix: Set the address of the site in the configuration of the generator, and build again:
    ``baseURL`` (Hugo), ``url`` (Jekyll, Docusaurus, Hexo), ``site`` (Astro), ``sitemap.hostname``
    (VitePress), ``metadataBase`` (Next.js), ``site_url`` (MkDocs), ``html_baseurl`` (Sphinx),
    ``SITE_URL`` (Nikola), ``SITEURL`` (Pelican).
    """

    severity = Severity.ERROR
    message = (
        "names {origin} in {places}, such as {address}: set the address of the site in the"
        " configuration of the generator (baseURL, url, site, hostname, site_url or the like)"
    )
    references = (PROTOCOL, PRACTICE)

    depends_on = (BUILD,)
    needs = (BUILDS,)
    query = f"""
        with named as (
            select 1 as priority, 'loc' as what, loc as address, coalesce(url, loc) as target,
                null as url, sitemap, position
            from entries
            union all
            select 2, 'Sitemap line', declared.url, declared.url, robots.url, null, null
            from robots, unnest(sitemaps) as lines(declared)
            where audited
            union all
            select 3, 'canonical', canonical, canonical, url, null, null from pages
            union all
            select 4, 'alternate', link.url, link.url, pages.url, null, null
            from pages, unnest(alternates) as links(link)
        ), own_hosts as (
            select unnest(build_hosts) as host from run
        ), located as materialized (
            select *, origin_of(target) as origin, split_part(origin, '//', 2) as host
            from named where origin <> ''
        ), others as (
            select *, regexp_full_match(host_of(target), '{RESERVED_HOST}')
                    and {_DOMAIN.format("target")} not in (
                        select {_DOMAIN.format("'http://' || host || '/'")} from own_hosts
                    )
                or what = 'loc' and not exists (
                    from located where what = 'loc' and host in (from own_hosts)
                ) as is_wrong
            from located where host not in (from own_hosts)
        ), counted as (
            select origin, what, priority, count(*) as number,
                arg_min(struct_pack(url, sitemap, position, address), (target, position)) as example
            from others where is_wrong and exists (from own_hosts)
            group by origin, what, priority
        )
        select arg_min(example, priority).url as url,
            arg_min(example, priority).sitemap as sitemap,
            arg_min(example, priority).position as position,
            origin,
            list_reduce(
                list(count_noun(number, what) order by priority),
                lambda all_of_them, next: all_of_them || ' and ' || next
            ) as places,
            arg_min(example, priority).address as address
        from counted group by origin order by origin
    """
