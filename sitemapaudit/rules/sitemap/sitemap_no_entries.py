from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_NEWS, SEARCH_CONSOLE, XSD
from sitemapaudit.sitemaps.extensions import NEWS


class SitemapNoEntries(RowRule[Sitemap]):
    """Sitemap has no entries

    When: a well-formed urlset or sitemapindex contains no entry. For a news sitemap, which may have
    had no news for two days, this is a notice.

    Why: The schema requires at least one entry, and engines report the file as an error.

    Fix: Add entries, or remove the file.
    """

    severity = Severity.ERROR
    message = "is a {kind} without entries"
    references = (
        XSD,
        SEARCH_CONSOLE,
        GOOGLE_NEWS,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        is_xml = row.kind in (Kind.URLSET, Kind.SITEMAPINDEX)
        if is_xml and row.entries == 0 and row.xml_error is None and row.gzip_error is None:
            severity = Severity.NOTICE if NEWS in row.namespaces else Severity.ERROR
            yield self.finding(row, severity, kind=row.kind)
