from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE


class UrlInMultipleSitemaps(Query):
    """A URL is listed in several sitemaps

    When: the same normalised loc stands in at least two sitemap files. Beside a plain
    sitemap, one with extensions, or a feed, may repeat it on purpose.

    Why: It is harmless by itself, yet makes every count of the files wrong, and their
    lastmods can disagree.

    Fix: Keep one.
    """

    severity = Severity.NOTICE
    message = "is listed in {count} sitemaps: {sitemaps}"
    references = (PRACTICE,)

    query = """
        select url, sitemaps[1] as sitemap, len(sitemaps) as count,
            array_to_string(sitemaps[1:5], ', ') || if(len(sitemaps) > 5, ' …', '') as sitemaps
        from urls
        where len(sitemaps) > 1
    """
