from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, YANDEX


class SitemapBodyEmpty(RowRule[Sitemap]):
    """The sitemap is empty

    When: the answer is 200 or 204, and nothing but white space is left after decoding.

    Why: Engines report an empty file as an error.

    Fix: Look at what generates it; or withdraw the file.
    """

    severity = Severity.ERROR
    message = "answers {status} with an empty body"
    references = (
        SEARCH_CONSOLE,
        YANDEX,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.form == "empty" and row.gzip_fault is None:
            yield self.finding(row, status=row.status)
