from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL_FAQ
from sitemapaudit.sitemaps.sniffing import ARCHIVES


class SitemapArchiveUnsupported(RowRule[Sitemap]):
    """The sitemap is packed in a way that engines do not read

    When: the file begins with the magic bytes of zip, bz2, xz, 7z, tar or zstd, be it
    compressed by gzip around that or not.

    Why: Engines read plain and gzip files only.

    Fix: Compress each file by gzip, without an archive around it.
    """

    severity = Severity.ERROR
    message = "is packed as {form}, and engines read gzip only"
    references = (PROTOCOL_FAQ,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.form in ARCHIVES:
            yield self.finding(row, form=row.form)
