from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import LIMITED_SITEMAPS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL, YANDEX


class LocAboveDirectory(QueryRule):
    """URL is outside the directory of its sitemap

    When: the URL has the origin of its sitemap, but its path does not begin with the sitemap's
    directory: the path of the sitemap's final URL up to the last slash. Paths are case-sensitive.
    There is no finding if the site's robots.txt declares the sitemap or an index that lists it. A
    sitemap in the root directory may list every URL of its origin.

    Why: The protocol limits a sitemap to its own directory and the directories below. Google
    lifts this limit for sitemaps submitted in Search Console, which a crawler cannot see.

    Fix: Move the sitemap to the root directory, or declare it in robots.txt.
    """

    severity = Severity.WARNING
    message = "is outside {directory}, the directory of its sitemap"
    cause = "are outside {directory}"
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
        YANDEX,
    )

    needs = (LIMITED_SITEMAPS,)
    query = """
        with limited_sitemaps as (
            from sitemap_files
            anti join authorized_sitemaps using (origin, sitemap)
            where kind <> 'sitemapindex' and directory <> origin || '/'
        )
        select entries.url, entries.sitemap, position, directory
        from entries join limited_sitemaps using (sitemap)
        where starts_with(entries.url, limited_sitemaps.origin || '/')
            and not starts_with(entries.url, directory)
    """
