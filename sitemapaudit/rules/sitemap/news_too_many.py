from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_NEWS, SEARCH_CONSOLE


class NewsTooMany(Query):
    """A news sitemap has too many articles

    When: a file has more than 1,000 news:news elements; just that many pass.

    Why: Google reads up to 1,000 articles of a news sitemap.

    Fix: Keep the articles of the last two days; split the file if these are more.
    """

    severity = Severity.ERROR
    message = "has {articles} articles, and 1000 are allowed"
    references = (
        GOOGLE_NEWS,
        SEARCH_CONSOLE,
    )

    query = """
        select sitemap, sum(len(news)) as articles
        from entries
        where len(news) > 0
        group by sitemap
        having sum(len(news)) > 1000
    """
