from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class LocDuplicate(QueryRule):
    """URL is listed more than once in a sitemap

    When: the same normalized URL occurs at least twice in one sitemap. Each repeated entry is one
    finding.

    Why: A repeated entry adds nothing and makes the file larger. It suggests a bug in the
    generator.

    Fix: Keep one entry.
    """

    severity = Severity.WARNING
    message = "repeats entry {first_position}"
    references = (PRACTICE,)

    query = """
        select url, sitemap, position, first_position, loc
        from (
            select url, sitemap, position, loc,
                min(position) over (partition by sitemap, url) as first_position
            from entries
            where kind <> 'sitemapindex'
                and url in (select url from urls where occurrences > len(sitemaps))
        )
        where position > first_position
    """
