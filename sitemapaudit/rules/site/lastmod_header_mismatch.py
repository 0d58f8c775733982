from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE


class LastmodHeaderMismatch(QueryRule):
    """lastmod differs from the Last-Modified header of the page

    When: the page returns 2xx, and its Last-Modified header and the latest lastmod of its URL are
    more than 24 hours apart. If the lastmod is midnight UTC, which may be a date without a time,
    they must be more than one calendar day apart. This is not reported if the header is within five
    minutes of the response, which means that it is generated for each response; if a lastmod of the
    URL does not name a day; if the latest lastmod is the date of a feed, which says when an item
    was published; or if a bot challenge was returned instead of the page.

    Why: One of the two is untrue. Engines compare them with what they see.

    Fix: Find out which one is true. A template or a build may set either.
    """

    severity = Severity.NOTICE
    message = "has the lastmod {lastmod}, but its Last-Modified header is {last_modified}"
    references = (
        GOOGLE_BUILD,
        PRACTICE,
    )

    query = """
        with without_day as (
            select url from entries
            where lastmod_at is not null and not contains(lastmod, ':') and lastmod not like '%-%-%'
        ), published as (
            select url, lastmod_at as lastmod from entries where kind in ('rss', 'atom')
        )
        select urls.url, strftime(lastmod, '%Y-%m-%dT%H:%M:%SZ') as lastmod,
            strftime(last_modified, '%Y-%m-%dT%H:%M:%SZ') as last_modified
        from urls join pages using (url)
        anti join without_day using (url) anti join published using (url, lastmod)
        where pages.status between 200 and 299 and challenge is null
            and abs(epoch(last_modified) - epoch(coalesce(date, pages.fetched_at))) > 300
            and if(
                epoch(lastmod) % 86400 = 0,
                abs(floor(epoch(last_modified) / 86400) - epoch(lastmod) / 86400) > 1,
                abs(epoch(last_modified) - epoch(lastmod)) > 86400
            )
    """
