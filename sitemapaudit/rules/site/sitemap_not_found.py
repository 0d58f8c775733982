from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_OVERVIEW


class SitemapNotFound(Query):
    """The site has no sitemap that can be found

    When: the robots.txt of an audited site permits something or is missing, and declares no
    sitemap that can be asked for; and none of the well-known addresses that it allows (the
    message names those that were tried) holds a known format.

    Why: Engines find pages by links alone. A site of up to some 500 pages that are well
    linked may do without.

    Fix: Publish a sitemap and declare it in robots.txt; or give its address to the audit.
    """

    severity = Severity.WARNING
    message = "has no sitemap: robots.txt declares none, and none is at {tried}"
    references = (GOOGLE_OVERVIEW,)

    query = """
        select site || '/' as url, array_to_string(tried, ', ') as tried
        from robots
        where judged and tried is not null and found = 0
    """
