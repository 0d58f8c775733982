from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL, YANDEX


class LocAboveDirectory(Query):
    """A loc lies outside the directory of its sitemap

    When: the loc has the origin of its sitemap, and its path does not begin with the
    sitemap's directory: the path of the address at which it answers, through the last slash.
    Letter case counts. Nothing is said where the site's robots.txt declares the sitemap or an
    index that lists it, and a sitemap in the root directory may list all.

    Why: By the protocol a sitemap speaks for its own directory and what lies below. Google
    waives that for sitemaps that are submitted in Search Console, which no crawler can see.

    Fix: Move the sitemap to the root directory, or declare it in robots.txt.
    """

    severity = Severity.WARNING
    message = "lies outside {directory}, the directory of its sitemap"
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
        YANDEX,
    )

    query = """
        with strict as (
            from files
            anti join vouched using (origin, sitemap)
            where kind <> 'sitemapindex' and directory <> origin || '/'
        )
        select entries.url, entries.sitemap, position, directory
        from entries join strict using (sitemap)
        where starts_with(entries.url, strict.origin || '/')
            and not starts_with(entries.url, directory)
    """
