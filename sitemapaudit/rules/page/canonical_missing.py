from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.reader import HTML_TYPES
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class CanonicalMissing(RowRule[Page]):
    """A listed page declares no canonical

    When: an HTML page answers 200, and has no usable canonical in its head or header.

    Why: Where an address can be reached in several ways, engines must guess which one
    counts.

    Fix: Add a canonical that names the page itself.
    """

    severity = Severity.NOTICE
    message = "declares no usable canonical"
    references = (GOOGLE_CANONICAL,)

    def check(self, row: Page) -> Iterator[Finding]:
        if (
            row.status != 200
            or row.content_type not in HTML_TYPES
            or not row.bytes
            or row.challenge
        ):
            return
        if row.error is None and all(canonical.fault for canonical in row.canonicals):
            yield self.finding(row)
