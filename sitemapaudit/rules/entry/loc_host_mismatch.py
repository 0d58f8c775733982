from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE


class LocHostMismatch(Query):
    """A loc is on another host than its sitemap

    When: the host of the loc is not that of the address at which the sitemap answers (`www.`
    counts as another), and the robots.txt of the loc's host declares neither the sitemap nor
    an index that lists it. Where that robots.txt could not be read, nothing is said.

    Why: A sitemap speaks for its own host only, unless the other host's robots.txt declares it
    or both are verified in Search Console, which no crawler can see: engines drop the entry.

    Fix: Give each host a sitemap of its own, or declare this one in the robots.txt of the
    other. Who wants it strict sets the severity of this rule to error.
    """

    severity = Severity.WARNING
    message = "is on {host}, and its sitemap on {home_host}{relation}"
    references = (
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    query = """
        select url, sitemap, position, host_of(url) as host, host_of(home || '/') as home_host,
            if(
                bare_host_of(url) = bare_host_of(home || '/'),
                ' (they differ by www only)', ''
            ) as relation
        from foreign_entries
        semi join read_hosts using (origin)
        anti join vouched using (origin, sitemap)
        where kind <> 'sitemapindex' and host_of(url) <> host_of(home || '/')
    """
