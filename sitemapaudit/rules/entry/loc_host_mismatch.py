from typing import Final

from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import OTHER_ORIGINS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE
from sitemapaudit.urls.reserved_hosts import RESERVED_HOST

_DOMAIN: Final = "regexp_extract({}, '[^.]+[.][^.]+[.]?$')"
"""SQL: the last two labels of a host. If they differ, so do the registrable domains."""


class LocHostMismatch(QueryRule):
    """URL is on a different host than its sitemap

    When: the host of the URL is not the host of the sitemap's final URL (a host with `www.` and
    one without are different), and the robots.txt of the URL's host declares neither the sitemap
    nor an index that lists it, or could not be read. The message says so if it could not. If search
    engines cannot reach the host, such as the machine itself, a private address or example.com, it
    is an error. What built-for-other-host finds in a build is not repeated.

    Why: A sitemap may list only URLs on the same host, unless the robots.txt of the other host
    declares it, or both hosts are verified in Search Console, which a crawler cannot see. Search
    engines drop the entry. If all entries are on another host, a setting of the generator usually
    has the wrong address of the site.

    Fix: Give each host its own sitemap, or declare this one in the robots.txt of the other host.
    For a strict check, set the severity of this rule to error.
    """

    severity = Severity.ERROR
    message = "is on {host}, but its sitemap is on {sitemap_host}{note}"
    cause = "are on {host}, but their sitemap is on {sitemap_host}{note}"
    references = (
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    needs = OTHER_ORIGINS
    query = f"""
        with mismatches as (
            select url, sitemap, position, origin, host_of(url) as name,
                host_of(sitemap_origin || '/') as sitemap_name,
                regexp_extract(origin, ':[0-9]*$') = regexp_extract(sitemap_origin, ':[0-9]*$')
                    as same_port,
                if(same_port, name, split_part(origin, '//', 2)) as host,
                if(same_port, sitemap_name, split_part(sitemap_origin, '//', 2)) as sitemap_host
            from cross_origin_entries
            anti join authorized_sitemaps using (origin, sitemap)
            where kind <> 'sitemapindex' and host_of(url) <> host_of(sitemap_origin || '/')
        ), own_entries as (
            select url from entries where kind <> 'sitemapindex'
                and split_part(origin_of(url), '//', 2) in (select unnest(build_hosts) from run)
        ), described as (
            select *, len((select build_hosts from run)) = 0 as no_build,
                regexp_full_match(name, '{RESERVED_HOST}')
                    and not regexp_full_match(sitemap_name, '{RESERVED_HOST}') as unreachable,
                origin not in (from origins_with_robots) as unknown
            from mismatches
        ), noted as (
            select *, list_filter([
                case
                    when unreachable then 'search engines cannot reach ' || host
                    when host_without_www(url) = host_without_www('http://' || sitemap_host || '/')
                        then 'they differ only by www'
                    when {_DOMAIN.format("name")} <> {_DOMAIN.format("sitemap_name")}
                        then 'another domain'
                end,
                if(unknown, 'its robots.txt, which may declare the sitemap, is unknown', null)
            ], lambda note: note is not null) as notes
            from described
            where not unreachable and exists (from own_entries) or no_build
        )
        select url, sitemap, position, host, sitemap_host,
            if(len(notes) = 0, '', ' (' || array_to_string(notes, '; ') || ')') as note,
            if(unreachable, 'error', 'warning') as severity
        from noted
    """
