from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.languages import is_iso_639
from sitemapaudit.rules.concerns import NEWS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_NEWS
from sitemapaudit.sitemaps.w3c_dates import DateFormat, w3c_datetime


class NewsValueInvalid(RowRule[Entry]):
    """News article has an invalid value

    When: the language of the publication is not a two- or three-letter code of ISO 639, zh-cn or
    zh-tw; or the publication_date is not a W3C date with a day, or has a time without a time zone.
    The language is not case-sensitive. news-required-missing reports empty values.

    Why: Google ignores the article.

    Fix: Correct the value.
    """

    severity = Severity.ERROR
    message = "{element} {value!r} {problem}"
    cause = "have a {element} that {problem}"
    concern = NEWS
    references = (GOOGLE_NEWS,)

    _chinese = frozenset({"zh-cn", "zh-tw"})
    _date_formats = frozenset({DateFormat.DATE, DateFormat.MINUTES, DateFormat.SECONDS})

    def check(self, row: Entry) -> Iterator[Finding]:
        for news in row.news:
            language = (news.language or "").strip()
            if language and not self._is_language(language.lower()):
                problem = "is not an ISO 639 language code"
                yield self.finding(row, element="language", value=language, problem=problem)
            date = (news.publication_date or "").strip()
            moment = w3c_datetime(date)
            if date and (moment is None or moment.format not in self._date_formats):
                problem = "is not a complete W3C date"
                yield self.finding(row, element="publication_date", value=date, problem=problem)

    def _is_language(self, code: str) -> bool:
        return code in self._chinese or is_iso_639(code)
