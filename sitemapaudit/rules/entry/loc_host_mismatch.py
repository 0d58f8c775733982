from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import OTHER_ORIGINS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE


class LocHostMismatch(QueryRule):
    """URL is on a different host than its sitemap

    When: the host of the URL is not the host of the sitemap's final URL (a host with `www.` and
    one without are different), and the robots.txt of the URL's host declares neither the sitemap
    nor an index that lists it. There is no finding if that robots.txt could not be read.

    Why: A sitemap may list only URLs on the same host, unless the robots.txt of the other host
    declares it, or both hosts are verified in Search Console, which a crawler cannot see. Search
    engines drop the entry.

    Fix: Give each host its own sitemap, or declare this one in the robots.txt of the other host.
    For a strict check, set the severity of this rule to error.
    """

    severity = Severity.WARNING
    message = "is on {host}, but its sitemap is on {sitemap_host}{note}"
    cause = "are on {host}, but their sitemap is on {sitemap_host}"
    references = (
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    needs = OTHER_ORIGINS
    query = """
        select url, sitemap, position, host_of(url) as host,
            host_of(sitemap_origin || '/') as sitemap_host,
            if(
                host_without_www(url) = host_without_www(sitemap_origin || '/'),
                ' (they differ only by www)', ''
            ) as note
        from cross_origin_entries
        semi join origins_with_robots using (origin)
        anti join authorized_sitemaps using (origin, sitemap)
        where kind <> 'sitemapindex' and host_of(url) <> host_of(sitemap_origin || '/')
    """
