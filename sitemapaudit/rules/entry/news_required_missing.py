from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, News, Severity
from sitemapaudit.rules.concerns import NEWS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_NEWS, SEARCH_CONSOLE


class NewsRequiredMissing(RowRule[Entry]):
    """News article is missing required elements

    When: a news:news has no publication with name and language, no publication_date or no title,
    or one of them is empty; or an entry has more than one news:news.

    Why: Google ignores the article.

    Fix: Add the missing elements. Give each article its own entry.
    """

    severity = Severity.ERROR
    message = "{problem}"
    cause = "have no valid news article: {problem}"
    concern = NEWS
    references = (
        GOOGLE_NEWS,
        SEARCH_CONSOLE,
    )

    _required = {
        "name": "publication name",
        "language": "publication language",
        "publication_date": "publication_date",
        "title": "title",
    }

    def check(self, row: Entry) -> Iterator[Finding]:
        if len(row.news) > 1:
            problem = f"has {len(row.news):,} news articles; the limit is 1"
            yield self.finding(row, problem=problem)
        for news in row.news:
            missing = self._list_missing(news)
            if missing:
                problem = f"news article is missing {missing}"
                yield self.finding(row, problem=problem, title=news.title)

    def _list_missing(self, news: News) -> str:
        required = self._required.items()
        return ", ".join(
            element for name, element in required if not (getattr(news, name) or "").strip()
        )
