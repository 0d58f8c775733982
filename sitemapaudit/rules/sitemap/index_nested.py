from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE


class IndexNested(RowRule[Sitemap]):
    """Sitemap index is nested in another index

    When: a child of a sitemapindex is itself a sitemapindex. It is read anyway.

    Why: Search Console reports nested indexes as an error, and does not read them.

    Fix: List the sitemaps directly.
    """

    severity = Severity.ERROR
    message = "is an index that another index lists: {parent}"
    references = (SEARCH_CONSOLE,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.kind is Kind.SITEMAPINDEX and row.parent is not None:
            yield self.finding(row, parent=row.parent, depth=row.depth)
