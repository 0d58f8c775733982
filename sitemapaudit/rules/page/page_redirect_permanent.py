from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, GOOGLE_REDIRECTS


class PageRedirectPermanent(RowRule[Page]):
    """A listed URL redirects for good

    When: its own answer is 301 or 308, with a Location that can be asked for. Without one it
    is told by page-redirect-invalid alone.

    Why: A sitemap is to list the addresses that belong in results, and this says itself
    that it is not one.

    Fix: List the target instead.
    """

    severity = Severity.ERROR
    message = "answers {status} and redirects to {location}"
    references = (
        GOOGLE_REDIRECTS,
        GOOGLE_BUILD,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if row.status in (301, 308) and row.target is not None:
            yield self.finding(row, status=row.status, location=row.location)
