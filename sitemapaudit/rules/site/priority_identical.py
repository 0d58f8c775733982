from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PROTOCOL


class PriorityIdentical(Query):
    """Every URL has the same priority

    When: at least 10 entries of the sitemaps of a site have a priority that is a number from 0
    to 1, and it is the same for all.

    Why: A priority only ranks the URLs of one site against each other: the same for all says
    nothing. Google and Bing ignore it altogether.

    Fix: Leave it out.
    """

    severity = Severity.NOTICE
    message = "gives each of {entries} entries the priority {priority}"
    references = (PROTOCOL,)

    query = """
        with counted as (
            select sitemap, try_cast(priority as double) as priority, count(*) as entries
            from entries
            where kind = 'urlset' and priority is not null
            group by all
        )
        select origin_of(sitemap) || '/' as url, min(sitemap) as sitemap,
            sum(entries)::bigint as entries, min(priority) as priority
        from counted
        where priority between 0 and 1
        group by origin_of(sitemap)
        having sum(entries) >= 10 and min(priority) = max(priority)
    """
