from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD


class SitemapTextExtension(RowRule[Sitemap]):
    """Text sitemap does not have the extension .txt

    When: the path of a text sitemap, as it is listed, ends in neither .txt nor .txt.gz. Letter case
    is ignored.

    Why: Google requires the extension for text sitemaps, and other readers rely on it.

    Fix: Rename the file.
    """

    severity = Severity.NOTICE
    message = "is a text sitemap without the extension .txt"
    references = (GOOGLE_BUILD,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        path = urls.path(row.sitemap).lower()
        if row.kind is Kind.TEXT and not path.endswith((".txt", ".txt.gz")):
            yield self.finding(row)
