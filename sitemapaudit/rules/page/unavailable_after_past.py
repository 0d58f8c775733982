from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.concerns import STATEMENTS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META


class UnavailableAfterPast(RowRule[Page]):
    """Listed page has expired

    When: the URL itself returns 2xx, and the date of an unavailable_after directive that
    applies to the agent (RFC 822, RFC 850 or ISO 8601; UTC if it has no time zone) is not later
    than the fetch. It counts as noindex.

    Why: Engines drop the page from their results after that date.

    Fix: Remove the entry, or the directive.
    """

    severity = Severity.ERROR
    message = "expired on {until}"
    concern = STATEMENTS
    references = (GOOGLE_META,)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read or row.fetched_at is None:
            return
        for statement in row.statements:
            if statement.applies and statement.until and statement.until <= row.fetched_at:
                yield self.finding(row, until=statement.until.isoformat())
                return
