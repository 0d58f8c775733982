from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, YANDEX


class SitemapBodyEmpty(RowRule[Sitemap]):
    """Sitemap is empty

    When: the response is 200 or 204, and nothing but whitespace is left after decoding.

    Why: Engines report an empty file as an error.

    Fix: Check what generates the file, or remove it.
    """

    severity = Severity.ERROR
    message = "returns {status} with an empty body"
    references = (
        SEARCH_CONSOLE,
        YANDEX,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.detected_format == "empty" and row.gzip_error is None and not row.truncated:
            yield self.finding(row, status=row.status)
