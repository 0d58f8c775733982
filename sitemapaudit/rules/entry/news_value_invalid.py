from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.languages import is_iso_639
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_NEWS
from sitemapaudit.sitemaps.dates import Form, w3c_datetime


class NewsValueInvalid(RowRule[Entry]):
    """A value of a news article is not allowed

    When: the language of the publication is no code of ISO 639 with two or three letters, nor
    zh-cn or zh-tw; or the publication_date is no W3C date of a day, with a zone if it has a
    time. Letter case does not count, and empty values are news-required-missing.

    Why: Google passes over the article.

    Fix: Correct the value.
    """

    severity = Severity.ERROR
    message = "{name} {value!r} {problem}"
    references = (GOOGLE_NEWS,)

    _chinese = frozenset({"zh-cn", "zh-tw"})
    _dates_allowed = frozenset({Form.DATE, Form.MINUTES, Form.SECONDS})

    def check(self, row: Entry) -> Iterator[Finding]:
        for news in row.news:
            language = (news.language or "").strip()
            if language and not self._is_language(language.lower()):
                problem = "is no language of ISO 639"
                yield self.finding(row, name="language", value=language, problem=problem)
            date = (news.publication_date or "").strip()
            moment = w3c_datetime(date)
            if date and (moment is None or moment.form not in self._dates_allowed):
                problem = "is no W3C date of a day"
                yield self.finding(row, name="publication_date", value=date, problem=problem)

    def _is_language(self, code: str) -> bool:
        return code in self._chinese or is_iso_639(code)
