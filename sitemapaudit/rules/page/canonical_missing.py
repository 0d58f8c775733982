from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class CanonicalMissing(RowRule[Page]):
    """A listed page declares no canonical

    When: the URL itself answers 200 with a body that is read as HTML (by its media type or,
    without one, by its first bytes), and neither its head nor its header has a usable
    canonical. Two that disagree are usable.

    Why: Where an address can be reached in several ways, engines must guess which one
    counts.

    Fix: Add a canonical that names the page itself.
    """

    severity = Severity.NOTICE
    message = "declares no usable canonical"
    references = (GOOGLE_CANONICAL,)

    def check(self, row: Page) -> Iterator[Finding]:
        if not (row.was_read and row.html and row.status == 200 and row.bytes):
            return
        if all(canonical.fault for canonical in row.canonicals):
            yield self.finding(row)
