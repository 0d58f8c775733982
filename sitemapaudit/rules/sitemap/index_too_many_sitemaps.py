from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_INDEX, PROTOCOL
from sitemapaudit.sitemaps.reader import MAX_ENTRIES


class IndexTooManySitemaps(RowRule[Sitemap]):
    """The index lists too many sitemaps

    When: a sitemapindex has more than 50,000 sitemap elements; just that many pass.

    Why: Engines refuse the file, or read only its beginning.

    Fix: Make a second index, and declare both in robots.txt.
    """

    severity = Severity.ERROR
    message = "lists {entries:,} sitemaps, and {limit:,} are allowed"
    references = (
        PROTOCOL,
        GOOGLE_INDEX,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.kind is Kind.SITEMAPINDEX and row.entries > MAX_ENTRIES:
            yield self.finding(row, entries=row.entries, limit=MAX_ENTRIES)
