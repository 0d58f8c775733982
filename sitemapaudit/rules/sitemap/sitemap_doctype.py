from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class SitemapDoctype(RowRule[Sitemap]):
    """The sitemap has a DOCTYPE

    When: a DOCTYPE or ENTITY declaration stands before the root element. It is never read, and
    its entities are never expanded.

    Why: A sitemap needs none. Readers that expand entities can be made to read files or to
    fill memory by it; careful ones refuse the whole file.

    Fix: Remove it.
    """

    severity = Severity.WARNING
    message = "has a document type declaration"
    references = (PRACTICE,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.doctype:
            yield self.finding(row)
