from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import INDEXES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class IndexChildDuplicate(QueryRule):
    """Sitemap index lists a sitemap more than once

    When: one index lists the same normalized child at least twice. Each repeat is one finding.

    Why: The repeat adds nothing, and suggests a bug in the generator of the index.

    Fix: Remove the repeat.
    """

    severity = Severity.NOTICE
    message = "lists {child} again: entry {repeat} repeats entry {first}"
    references = (PRACTICE,)

    needs = (INDEXES,)
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
