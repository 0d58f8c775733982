from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_NEWS, SEARCH_CONSOLE, XSD
from sitemapaudit.sitemaps.extensions import NEWS


class SitemapNoEntries(RowRule[Sitemap]):
    """The sitemap lists nothing

    When: a well-formed urlset or sitemapindex holds no entry. In a news sitemap, which may
    have had no news for two days, it is a notice.

    Why: The schema demands at least one entry, and engines report the file as an error.

    Fix: Add entries, or withdraw the file.
    """

    severity = Severity.ERROR
    message = "is a {kind} without an entry"
    references = (
        XSD,
        SEARCH_CONSOLE,
        GOOGLE_NEWS,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        listing = row.kind in (Kind.URLSET, Kind.SITEMAPINDEX)
        if listing and row.entries == 0 and row.fault is None and row.gzip_fault is None:
            severity = Severity.NOTICE if NEWS in row.namespaces else Severity.ERROR
            yield self.finding(row, severity, kind=row.kind)
