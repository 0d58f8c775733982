from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import LASTMODS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE, PROTOCOL


class LastmodFuture(QueryRule):
    """lastmod is in the future

    When: the lastmod is more than one hour later than the fetch of the file. A time without a time
    zone must be that late in every time zone; UTC+14 is the earliest. A date without a time must
    be later than the date of the fetch in UTC+14.

    Why: A page cannot have changed at a time that is still to come. Search engines ignore all
    lastmod values of a site if they find them untrue.

    Fix: Write the date of the last change. Check the time zone and the clock of the server.
    """

    severity = Severity.WARNING
    message = "lastmod {lastmod} is later than the fetch at {fetched_at}"
    cause = "have a lastmod in the future"
    references = (
        PROTOCOL,
        PRACTICE,
    )

    needs = (LASTMODS,)
    query = """
        select entries.url, entries.sitemap, entries.position, entries.lastmod,
            strftime(sitemaps.fetched_at, '%Y-%m-%dT%H:%M:%SZ') as fetched_at
        from entries join sitemaps using (sitemap)
        where entries.lastmod_at > sitemaps.fetched_at
            and entries.lastmod_at > case
                when not contains(entries.lastmod, ':')
                then date_trunc('day', sitemaps.fetched_at + interval 14 hours)
                when regexp_matches(entries.lastmod, 'T[0-9:.]+\\s*$')
                then sitemaps.fetched_at + interval 15 hours
                else sitemaps.fetched_at + interval 1 hour
            end
    """
