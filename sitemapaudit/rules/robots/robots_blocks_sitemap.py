from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import BLOCKED_SITEMAPS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, RFC_9309, SEARCH_CONSOLE


class RobotsBlocksSitemap(QueryRule):
    """Sitemap is blocked by robots.txt

    When: robots.txt declares a sitemap, or the argument sitemap names one, and the robots.txt of
    the sitemap's host disallows its path for the agent. The longest match decides, and a tie
    allows. The sitemap is not read. If that robots.txt returns 429 or 5xx, robots-unreachable
    reports it instead.

    Why: Search engines obey robots.txt, and never fetch the sitemap.

    Fix: Allow the path in robots.txt.
    """

    severity = Severity.ERROR
    message = "{relation} the sitemap {blocked_sitemap}, which {blocked_by} disallows for {agent}"
    about_sitemaps = True
    references = (
        GOOGLE_ROBOTS,
        RFC_9309,
        SEARCH_CONSOLE,
    )

    needs = (BLOCKED_SITEMAPS,)
    query = """
        with related as (
            select robots.url, lines.line.url as sitemap, 'declares' as relation
            from robots, unnest(robots.sitemaps) as lines(line)
            where robots.audited
            union
            select robots.url, sitemaps.sitemap, 'applies to'
            from robots join sitemaps on robots.site = origin_of(sitemaps.sitemap)
            where sitemaps.source = 'given'
        )
        select related.url, sitemaps.sitemap, relation, sitemaps.sitemap as blocked_sitemap,
            if(host.url = related.url, 'the same file', host.url) as blocked_by,
            (select agent from run) as agent
        from related
        join sitemaps on sitemaps.sitemap = related.sitemap
        join robots as host on host.site = origin_of(sitemaps.sitemap)
        where sitemaps.error = 'blocked' and sitemaps.hops = 0 and host.permission = 'rules'
    """
