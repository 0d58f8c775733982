from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE, XSD


class ChangefreqInvalid(RowRule[Entry]):
    """A changefreq is none of the seven words

    When: the changefreq, trimmed, is not exactly always, hourly, daily, weekly, monthly,
    yearly or never, in lower case; an empty one neither.

    Why: The schema refuses the file. Google and Bing ignore the value, but report it.

    Fix: Correct it, or leave it out.
    """

    severity = Severity.WARNING
    message = "changefreq {changefreq!r} is none of the words allowed"
    references = (
        PROTOCOL,
        XSD,
        SEARCH_CONSOLE,
    )

    _words = frozenset({"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"})

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.changefreq is not None and row.changefreq.strip() not in self._words:
            yield self.finding(row, changefreq=row.changefreq)
