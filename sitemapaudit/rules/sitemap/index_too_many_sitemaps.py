from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import BING, GOOGLE_INDEX, PROTOCOL
from sitemapaudit.sitemaps.sitemap_reader import MAX_ENTRIES


class IndexTooManySitemaps(RowRule[Sitemap]):
    """Sitemap index lists too many sitemaps

    When: a sitemapindex has more than 50,000 sitemap elements. Exactly 50,000 are allowed.

    Why: Engines reject the file, or read only its beginning.

    Fix: Create a second index, and declare both in robots.txt.
    """

    severity = Severity.ERROR
    message = "lists {entries} sitemaps; at most {limit} are allowed"
    references = (PROTOCOL, GOOGLE_INDEX, BING)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.kind is Kind.SITEMAPINDEX and row.entries > MAX_ENTRIES:
            yield self.finding(row, entries=row.entries, limit=MAX_ENTRIES)
