from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class IndexCycle(RowRule[Sitemap]):
    """An index lists itself, or an index above it

    When: a sitemap is reached again from one of its own descendants, by normalised
    addresses and also after redirects.

    Why: Engines do not follow nested indexes at all; a reader that does would never end.

    Fix: Remove the reference.
    """

    severity = Severity.ERROR
    message = "leads back to {child}, {place}"
    references = (PRACTICE,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        for child in row.cycles:
            itself = child in (row.sitemap, row.final_url)
            place = "which is the file itself" if itself else "an index above it"
            yield self.finding(row, child=child, place=place)
