from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import OTHER_ORIGINS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE


class LocSchemeMismatch(QueryRule):
    """URL has a different scheme or port than its sitemap

    When: the URL has the host of the sitemap's final URL, but a different scheme or port. A
    default port is the same as no port. Sitemap lines of robots.txt make no difference: most sites
    serve the same robots.txt over http and https.

    Why: Scheme and port are part of the scope of a sitemap. Usually the sitemap still lists the
    http URLs of a site that has moved to https, and each of them redirects.

    Fix: List the URLs that the pages have now, usually those with https.
    """

    severity = Severity.WARNING
    message = "is on {origin}, but its sitemap is on {sitemap_origin}"
    cause = "are on {origin}, but their sitemap is on {sitemap_origin}"
    references = (
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    needs = OTHER_ORIGINS
    query = """
        select url, sitemap, position, origin, sitemap_origin
        from cross_origin_entries
        where kind <> 'sitemapindex' and host_of(url) = host_of(sitemap_origin || '/')
    """
