from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import PRIORITIES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PROTOCOL


class PriorityIdentical(QueryRule):
    """All URLs have the same priority

    When: at least 10 entries in the sitemaps of a site have a priority that is a number from 0 to
    1, and all these priorities are the same.

    Why: A priority only ranks the URLs of one site against each other. If all are the same, it says
    nothing. Google and Bing ignore it altogether.

    Fix: Omit priority.
    """

    severity = Severity.NOTICE
    message = "all {entries} priorities are {priority}"
    about_sitemaps = True
    references = (PROTOCOL,)

    needs = (PRIORITIES,)
    query = """
        with counted as (
            select sitemap, try_cast(priority as double) as priority, count(*) as entries,
                min(position) as position
            from entries
            where kind = 'urlset' and priority is not null
            group by all
        )
        select origin_of(sitemap) as url, min(sitemap) as sitemap,
            arg_min(position, (sitemap, position)) as position,
            sum(entries)::bigint as entries, min(priority) as priority
        from counted
        where priority between 0 and 1
        group by origin_of(sitemap)
        having sum(entries) >= 10 and min(priority) = max(priority)
    """
