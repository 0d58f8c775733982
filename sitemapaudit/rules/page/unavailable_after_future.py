from collections.abc import Iterator
from datetime import timedelta

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.directives import is_unavailable_after
from sitemapaudit.rules.concerns import STATEMENTS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META, PRACTICE


class UnavailableAfterFuture(RowRule[Page]):
    """Listed page expires soon, or its expiry date is invalid

    When: the URL itself returns 2xx, and the date of an unavailable_after directive that
    applies to the agent is at most 30 days after the fetch: notice. If the date is not in RFC
    822, RFC 850 or ISO 8601 format: warning.

    Why: Engines drop the page after that date, and ignore a date that they cannot read.

    Fix: Plan to remove the entry. Write the date as in "2026-11-21".
    """

    severity = Severity.WARNING
    message = "{problem}"
    concern = STATEMENTS
    references = (
        GOOGLE_META,
        PRACTICE,
    )

    _soon = timedelta(days=30)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read or row.fetched_at is None:
            return
        for statement in row.statements:
            if not (statement.applies and is_unavailable_after(statement)):
                continue
            if statement.until is None:
                yield self.finding(row, problem=f"says {statement.token!r}, which is not a date")
            elif row.fetched_at < statement.until <= row.fetched_at + self._soon:
                problem = f"expires on {statement.until.isoformat()}"
                yield self.finding(row, Severity.NOTICE, problem=problem)
