from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, YANDEX


class SitemapGzipInvalid(RowRule[Sitemap]):
    """Sitemap has a compression error

    When: the bytes are gzip, or Content-Encoding says so, and decoding fails, ends too early or
    finds a wrong checksum. The file is gzip within gzip: warning, but not if it is a gzip file sent
    with Content-Encoding: gzip. A name that ends in .gz over plain content: notice.

    Why: Engines report a compression error, and read nothing or only a part. They decompress a file
    once: gzip within gzip gives them another gzip file.

    Fix: Compress the file once, and serve it completely. Serve a .gz file without
    Content-Encoding.
    """

    severity = Severity.ERROR
    message = "{problem}"
    references = (
        SEARCH_CONSOLE,
        YANDEX,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.gzip_error is not None:
            problem = f"cannot be decoded: {row.gzip_error}"
            yield self.finding(row, problem=problem, error=row.gzip_error, bytes=row.bytes)
        elif row.gzip_layers > 1:
            problem = "is compressed twice: gzip within gzip"
            yield self.finding(row, Severity.WARNING, problem=problem, layers=row.gzip_layers)
        elif row.detected_format in ("xml", "text") and self._is_expected_gzip(row):
            problem = "is named .gz but is not compressed"
            yield self.finding(row, Severity.NOTICE, problem=problem)

    def _is_expected_gzip(self, row: Sitemap) -> bool:
        named = urls.path(row.final_url or row.sitemap).lower().endswith(".gz")
        return named and row.gzip_layers == 0 and "gzip" not in (row.content_encoding or "")
