from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import NEWS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_NEWS, SEARCH_CONSOLE


class NewsTooMany(QueryRule):
    """News sitemap has too many articles

    When: a file has more than 1,000 news:news elements. Exactly 1,000 are allowed.

    Why: Google reads up to 1,000 articles of a news sitemap.

    Fix: Keep only the articles of the last two days. If there are more than 1,000, split the file.
    """

    severity = Severity.ERROR
    message = "has {articles} articles; at most 1,000 are allowed"
    references = (
        GOOGLE_NEWS,
        SEARCH_CONSOLE,
    )

    needs = (NEWS,)
    query = """
        select sitemap, sum(len(news)) as articles
        from entries
        where len(news) > 0
        group by sitemap
        having sum(len(news)) > 1000
    """
