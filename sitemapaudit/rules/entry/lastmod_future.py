from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE, PROTOCOL


class LastmodFuture(Query):
    """A lastmod lies in the future

    When: the lastmod is more than an hour later than the fetch of the file; a time without a
    zone, more than that in each zone (UTC+14 is the earliest of them); a date without a time,
    later than the date that it then is in UTC+14.

    Why: Nothing was changed at a time that is still to come: engines that find lastmods
    untrue ignore them all.

    Fix: Write the date of the last change, and look at the zone and at the clock of the
    server.
    """

    severity = Severity.WARNING
    message = "lastmod {lastmod} is later than the fetch at {fetched}"
    references = (
        PROTOCOL,
        PRACTICE,
    )

    query = """
        select entries.url, entries.sitemap, position, lastmod,
            strftime(fetched_at, '%Y-%m-%dT%H:%M:%SZ') as fetched
        from entries join sitemaps using (sitemap)
        where lastmod_at > fetched_at
            and lastmod_at > case
                when not contains(lastmod, ':')
                then date_trunc('day', fetched_at + interval 14 hours)
                when regexp_matches(lastmod, 'T[0-9:.]+\\s*$')
                then fetched_at + interval 15 hours
                else fetched_at + interval 1 hour
            end
    """
