from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_REDIRECTS


class PageRedirectTemporary(RowRule[Page]):
    """A listed URL redirects for now

    When: its own answer is 302, 303 or 307, with a Location that can be asked for. Without one
    it is told by page-redirect-invalid alone.

    Why: An engine may keep the address or take the target: the two signals contradict each
    other.

    Fix: List the target, or make the address answer 200.
    """

    severity = Severity.WARNING
    message = "answers {status} and redirects to {location}"
    references = (GOOGLE_REDIRECTS,)

    def check(self, row: Page) -> Iterator[Finding]:
        if row.status in (302, 303, 307) and row.target is not None:
            yield self.finding(row, status=row.status, location=row.location)
