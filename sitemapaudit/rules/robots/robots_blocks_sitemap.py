from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, RFC_9309, SEARCH_CONSOLE


class RobotsBlocksSitemap(Query):
    """robots.txt forbids a sitemap that is declared

    When: robots.txt declares a sitemap, and the robots.txt of the sitemap's host disallows its
    path for the agent: the longest match decides, and a tie allows. The sitemap is not read.
    What a robots.txt that answers 5xx forbids is robots-unreachable.

    Why: Engines obey, and never see the file.

    Fix: Allow the path.
    """

    severity = Severity.ERROR
    message = "declares the sitemap {declared}, which {agent} may not read by {by}"
    references = (
        GOOGLE_ROBOTS,
        RFC_9309,
        SEARCH_CONSOLE,
    )

    query = """
        select distinct robots.url, sitemaps.sitemap, sitemaps.sitemap as declared,
            if(host.url = robots.url, 'the same file', host.url) as by,
            (select agent from run) as agent
        from robots, unnest(robots.sitemaps) as lines(line)
        join sitemaps on sitemaps.sitemap = line.url
        join robots as host on host.site = origin_of(sitemaps.sitemap)
        where robots.judged and sitemaps.error = 'blocked' and sitemaps.hops = 0
            and host.permission = 'rules'
    """
