from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, News, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_NEWS, SEARCH_CONSOLE


class NewsRequiredMissing(RowRule[Entry]):
    """A news article lacks what it must have

    When: a news:news has no publication with name and language, no publication_date or no
    title (an empty one is none); or an entry has more than one news:news.

    Why: Google passes over the article.

    Fix: Add what is missing; give each article an entry of its own.
    """

    severity = Severity.ERROR
    message = "{problem}"
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
            problem = f"has {len(row.news)} news elements, and one is allowed"
            yield self.finding(row, problem=problem)
        for news in row.news:
            missing = self._missing(news)
            if missing:
                yield self.finding(row, problem=f"the article lacks {missing}", title=news.title)

    def _missing(self, news: News) -> str:
        names = self._required.items()
        return ", ".join(said for name, said in names if not (getattr(news, name) or "").strip())
