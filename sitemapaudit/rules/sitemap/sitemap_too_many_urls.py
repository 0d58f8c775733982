from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import BING, GOOGLE_BUILD, PROTOCOL, SEARCH_CONSOLE
from sitemapaudit.sitemaps.sitemap_reader import MAX_ENTRIES


class SitemapTooManyUrls(RowRule[Sitemap]):
    """Sitemap lists too many URLs

    When: there are more than 50,000 entries (url elements, lines that are not blank, feed items).
    Exactly 50,000 are allowed.

    Why: Engines reject the file, or read only its beginning.

    Fix: Split it, and list the parts in an index.
    """

    severity = Severity.ERROR
    message = "lists {entries} URLs; at most {limit} are allowed"
    references = (PROTOCOL, GOOGLE_BUILD, SEARCH_CONSOLE, BING)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.kind is not Kind.SITEMAPINDEX and row.entries > MAX_ENTRIES:
            yield self.finding(row, entries=row.entries, limit=MAX_ENTRIES)
