from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE, PROTOCOL


class LastmodMissing(Query):
    """Entries have no lastmod

    When: entries of an XML sitemap, of an index or of a feed have no lastmod (in feeds: no
    date), or an empty one; told once for each file, with their number.

    Why: It is optional, yet the one hint that Google and Bing use to decide what to visit
    again.

    Fix: Add the date of the last change, if it is known and true; else none is better.
    """

    severity = Severity.NOTICE
    message = "gives no lastmod for {missing} of {entries} entries ({share} %)"
    references = (
        PROTOCOL,
        PRACTICE,
    )

    query = """
        select sitemap, count_if(missing) as missing, count(*) as entries,
            round(100 * count_if(missing) / count(*), 1) as share
        from (
            select sitemap, not regexp_matches(coalesce(lastmod, ''), '\\S') as missing
            from entries
            where kind <> 'text'
        )
        group by sitemap
        having bool_or(missing)
    """
