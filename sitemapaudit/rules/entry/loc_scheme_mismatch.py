from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE


class LocSchemeMismatch(Query):
    """A loc has another scheme or port than its sitemap

    When: the host of the loc is that of the address at which the sitemap answers, and its
    scheme or port is not; a default port is the same as none. What robots.txt declares does
    not count: most sites serve the same one by http and by https.

    Why: Scheme and port are part of what a sitemap speaks for; mostly the http addresses of a
    site are listed that has moved to https, and each of them redirects.

    Fix: List the address that the pages have, mostly the https one.
    """

    severity = Severity.WARNING
    message = "is listed with {origin}, and the sitemap is at {home}"
    references = (
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    query = """
        select url, sitemap, position, origin, home
        from foreign_entries
        where kind <> 'sitemapindex' and host_of(url) = host_of(home || '/')
    """
