from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class SitemapDoctype(RowRule[Sitemap]):
    """Sitemap has a DOCTYPE

    When: a DOCTYPE or ENTITY declaration precedes the root element. It is never read, and its
    entities are never expanded.

    Why: A sitemap does not need one. Readers that expand entities can be made to read files or to
    fill memory. Careful readers reject the whole file.

    Fix: Remove it.
    """

    severity = Severity.WARNING
    message = "has a DOCTYPE declaration"
    references = (PRACTICE,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.doctype:
            yield self.finding(row)
