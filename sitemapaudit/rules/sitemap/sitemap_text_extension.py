from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD


class SitemapTextExtension(RowRule[Sitemap]):
    """A text sitemap is not named .txt

    When: the path of a text sitemap, as it is listed, ends neither in .txt nor in .txt.gz;
    letter case does not count.

    Why: Google names the extension as a condition of text sitemaps; others go by it.

    Fix: Rename the file.
    """

    severity = Severity.NOTICE
    message = "is a text sitemap, and is not named .txt"
    references = (GOOGLE_BUILD,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        name = urls.path(row.sitemap).lower()
        if row.kind is Kind.TEXT and not name.endswith((".txt", ".txt.gz")):
            yield self.finding(row)
