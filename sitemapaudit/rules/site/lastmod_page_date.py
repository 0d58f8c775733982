from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import PAGE_DATES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE


class LastmodPageDate(QueryRule):
    """lastmod differs from the date that the page states

    When: the page returns 2xx and says when it was last modified, with `dateModified` of JSON-LD or
    with `article:modified_time`, and a lastmod of its URL is at least 7 days earlier or at least 30
    days later. If one of the two is a date without a time, they must be another day apart. In
    JSON-LD, the outermost nodes and those of `@graph` count; if the dates of a page are more than a
    day apart, none does. A lastmod that does not name a day, and the date of a feed, which says
    when an item was published, are not compared.

    Why: Google uses lastmod only as long as it agrees with the page. If it is too early, changes
    are found late; if it is too late, pages are fetched in vain.

    Fix: Write both from the same value: when the content of the page last changed.
    """

    severity = Severity.WARNING
    message = "has the lastmod {lastmod}, {days} days {direction} its own date {date_modified}"
    about_sitemaps = True
    references = (
        GOOGLE_BUILD,
        PRACTICE,
    )

    needs = (PAGE_DATES,)
    query = """
        with compared as (
            select entry.url, entry.sitemap, entry.position, trimmed(entry.lastmod) as lastmod,
                page.date_modified,
                (epoch(entry.lastmod_at) - epoch(page.date_modified_at)) / 86400 as days_after,
                if(contains(entry.lastmod, ':') and contains(page.date_modified, ':'), 0, 1)
                    as margin
            from entries as entry join pages as page using (url)
            where page.date_modified_at is not null and page.error is null
                and entry.lastmod_at is not null
                and entry.kind not in ('sitemapindex', 'rss', 'atom')
                and (contains(entry.lastmod, ':') or entry.lastmod like '%-%-%')
        )
        select url, sitemap, position, lastmod, floor(abs(days_after))::bigint as days,
            if(days_after < 0, 'before', 'after') as direction, date_modified
        from compared
        where days_after <= -7 - margin or days_after >= 30 + margin
    """
