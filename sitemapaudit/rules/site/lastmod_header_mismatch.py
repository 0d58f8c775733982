from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE


class LastmodHeaderMismatch(Query):
    """The lastmod of a URL is not the Last-Modified of its page

    When: the page answers 2xx, and its Last-Modified header is more than 24 hours apart from
    the latest lastmod; from a lastmod at midnight UTC, which may be a date alone, by more
    than a day of the calendar. Nothing is said of a header that is within five minutes of the
    answer, for it is made anew for each; nor of a lastmod that names no day, nor of a bot
    challenge that stood in for the page.

    Why: One of the two is untrue; engines compare them with what they see.

    Fix: Find out which is true. A template or a build may set either.
    """

    severity = Severity.NOTICE
    message = "has the lastmod {lastmod}, and its page says Last-Modified {last_modified}"
    references = (
        GOOGLE_BUILD,
        PRACTICE,
    )

    query = """
        with vague as (
            select url from entries
            where lastmod_at is not null and not contains(lastmod, ':') and lastmod not like '%-%-%'
        )
        select urls.url, strftime(lastmod, '%Y-%m-%dT%H:%M:%SZ') as lastmod,
            strftime(last_modified, '%Y-%m-%dT%H:%M:%SZ') as last_modified
        from urls join pages using (url) anti join vague using (url)
        where pages.status between 200 and 299 and challenge is null
            and abs(epoch(last_modified) - epoch(coalesce(date, pages.fetched_at))) > 300
            and if(
                epoch(lastmod) % 86400 = 0,
                abs(floor(epoch(last_modified) / 86400) - epoch(lastmod) / 86400) > 1,
                abs(epoch(last_modified) - epoch(lastmod)) > 86400
            )
    """
