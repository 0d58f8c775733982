from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, RFC_9309, SEARCH_CONSOLE


class RobotsBlocksSitemap(QueryRule):
    """Declared sitemap is blocked by robots.txt

    When: robots.txt declares a sitemap, and the robots.txt of the sitemap's host disallows its
    path for the agent. The longest match decides, and a tie allows. The sitemap is not read. If
    that robots.txt returns 429 or 5xx, robots-unreachable reports it instead.

    Why: Search engines obey robots.txt, and never fetch the sitemap.

    Fix: Allow the path in robots.txt.
    """

    severity = Severity.ERROR
    message = "declares the sitemap {declared_sitemap}, which {blocked_by} disallows for {agent}"
    references = (
        GOOGLE_ROBOTS,
        RFC_9309,
        SEARCH_CONSOLE,
    )

    query = """
        select distinct robots.url, sitemaps.sitemap, sitemaps.sitemap as declared_sitemap,
            if(host.url = robots.url, 'the same file', host.url) as blocked_by,
            (select agent from run) as agent
        from robots, unnest(robots.sitemaps) as lines(line)
        join sitemaps on sitemaps.sitemap = line.url
        join robots as host on host.site = origin_of(sitemaps.sitemap)
        where robots.audited and sitemaps.error = 'blocked' and sitemaps.hops = 0
            and host.permission = 'rules'
    """
