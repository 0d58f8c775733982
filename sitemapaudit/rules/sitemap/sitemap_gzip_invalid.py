from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, YANDEX


class SitemapGzipInvalid(RowRule[Sitemap]):
    """The compression of the sitemap is broken

    When: the bytes are gzip, or Content-Encoding says so, and decoding fails, ends too
    early or meets a wrong checksum. A name in .gz over plain content: notice.

    Why: Engines report a compression error, and take nothing or a part.

    Fix: Compress the file again, and serve it whole. A .gz file is served without Content-
    Encoding.
    """

    severity = Severity.ERROR
    message = "{problem}"
    references = (
        SEARCH_CONSOLE,
        YANDEX,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.gzip_fault is not None:
            problem = f"cannot be decoded: {row.gzip_fault}"
            yield self.finding(row, problem=problem, fault=row.gzip_fault, bytes=row.bytes)
        elif row.form in ("xml", "text") and self._promises_gzip(row):
            problem = "is named .gz, and is not compressed"
            yield self.finding(row, Severity.NOTICE, problem=problem)

    def _promises_gzip(self, row: Sitemap) -> bool:
        named = urls.path(row.final_url or row.sitemap).lower().endswith(".gz")
        return named and row.gzip == 0 and "gzip" not in (row.content_encoding or "")
