from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL, SEARCH_CONSOLE
from sitemapaudit.sitemaps.sitemap_reader import MAX_BYTES


class SitemapTooLarge(RowRule[Sitemap]):
    """Sitemap is too large

    When: the decoded size is above 52,428,800 bytes (50 MB uncompressed). Exactly 52,428,800 are
    allowed.

    Why: Engines reject the file, or read only its beginning.

    Fix: Split it, and list the parts in an index.
    """

    severity = Severity.ERROR
    message = "has {bytes} bytes{more}; at most {limit} are allowed"
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
        SEARCH_CONSOLE,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        # A smaller file is truncated by DOWNLOAD_MAXSIZE, or by a component of the project.
        if (row.bytes or 0) > MAX_BYTES:
            more = " or more (reading stopped)" if row.truncated else ""
            yield self.finding(row, bytes=row.bytes or 0, more=more, limit=MAX_BYTES)
