from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL_FAQ
from sitemapaudit.sitemaps.format_detection import ARCHIVES


class SitemapArchiveUnsupported(RowRule[Sitemap]):
    """Sitemap is compressed in an unsupported format

    When: the file begins with the magic bytes of zip, bz2, xz, 7z, tar or zstd. An archive inside a
    gzip file counts too.

    Why: Engines read only plain and gzip files.

    Fix: Compress each file with gzip, without an archive around it.
    """

    severity = Severity.ERROR
    message = "is a {format} file; engines support only gzip"
    references = (PROTOCOL_FAQ,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.detected_format in ARCHIVES:
            yield self.finding(row, format=row.detected_format)
