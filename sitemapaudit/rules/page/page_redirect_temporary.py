from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.concerns import TARGET
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_REDIRECTS


class PageRedirectTemporary(RowRule[Page]):
    """Listed URL redirects temporarily (302, 303 or 307)

    When: the URL itself returns 302, 303 or 307 with a valid Location. A redirect without one
    is reported by page-redirect-invalid only.

    Why: An engine may keep the URL or switch to the target: the two signals contradict each
    other.

    Fix: List the target, or make the URL return 200.
    """

    severity = Severity.WARNING
    message = "returns {status} and redirects to {location}"
    concern = TARGET
    references = (GOOGLE_REDIRECTS,)

    def check(self, row: Page) -> Iterator[Finding]:
        if row.status in (302, 303, 307) and row.target is not None:
            yield self.finding(row, status=row.status, location=row.location)
