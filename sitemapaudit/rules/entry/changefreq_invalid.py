from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import has_changefreq
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import BING, PROTOCOL, SEARCH_CONSOLE, XSD


class ChangefreqInvalid(RowRule[Entry]):
    """changefreq is not an allowed value

    When: the trimmed changefreq is not exactly always, hourly, daily, weekly, monthly, yearly or
    never, in lower case. An empty changefreq is reported too.

    Why: The schema rejects the file. Google and Bing ignore changefreq, but report invalid values.

    Fix: Correct the value, or remove the element.
    """

    severity = Severity.WARNING
    message = "changefreq {changefreq!r} is not one of the allowed values"
    cause = "have the changefreq {changefreq!r}"
    concern = has_changefreq
    references = (PROTOCOL, XSD, SEARCH_CONSOLE, BING)

    _allowed = frozenset({"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"})

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.changefreq is not None and row.changefreq.strip() not in self._allowed:
            yield self.finding(row, changefreq=row.changefreq)
