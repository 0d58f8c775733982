from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.directives import is_unavailable_after
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META, PRACTICE


class UnavailableAfterFuture(RowRule[Page]):
    """A listed page will expire soon

    When: the URL itself answers 2xx, and the date of an unavailable_after that holds for the
    agent lies at most 30 days after the fetch: notice. A date that is neither RFC 822, RFC
    850 nor ISO 8601: warning.

    Why: Engines drop the page after that date, and pass over a date that they cannot read.

    Fix: Plan to remove the entry; write the date as in "2026-11-21".
    """

    severity = Severity.WARNING
    message = "{problem}"
    references = (
        GOOGLE_META,
        PRACTICE,
    )

    _soon = timedelta(days=30)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read or row.fetched_at is None:
            return
        for statement in row.statements:
            if not (statement.holds and is_unavailable_after(statement)):
                continue
            if statement.until is None:
                yield self.finding(row, problem=f"says {statement.token!r}, which is no date")
            elif row.fetched_at < statement.until <= row.fetched_at + self._soon:
                problem = f"is to be available until {statement.until.isoformat()}"
                yield self.finding(row, Severity.NOTICE, problem=problem)
