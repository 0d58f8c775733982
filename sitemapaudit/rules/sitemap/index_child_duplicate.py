from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE


class IndexChildDuplicate(Query):
    """An index lists a sitemap more than once

    When: the same normalised child stands at least twice in one index; each repeat is one
    finding.

    Why: It says nothing new, and hints at a fault in what generates the index.

    Fix: Remove the repeat.
    """

    severity = Severity.NOTICE
    message = "lists {child} again: entry {repeat} repeats entry {first}"
    references = (PRACTICE,)

    query = """
        select sitemap, position, position as repeat, first, child
        from (
            select sitemap, position, url as child,
                min(position) over (partition by sitemap, url) as first
            from entries
            where kind = 'sitemapindex' and url is not null
        )
        where position > first
    """
