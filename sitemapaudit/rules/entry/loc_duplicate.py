from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE


class LocDuplicate(Query):
    """A sitemap lists a URL more than once

    When: the same normalised loc stands at least twice in one sitemap; each repeat is one
    finding.

    Why: It says nothing new, makes the file larger, and hints at a fault in what generates
    it.

    Fix: Keep one.
    """

    severity = Severity.WARNING
    message = "repeats entry {first}"
    references = (PRACTICE,)

    query = """
        select url, sitemap, position, first, loc
        from (
            select url, sitemap, position, loc,
                min(position) over (partition by sitemap, url) as first
            from entries
            where kind <> 'sitemapindex'
                and url in (select url from urls where entries > len(sitemaps))
        )
        where position > first
    """
