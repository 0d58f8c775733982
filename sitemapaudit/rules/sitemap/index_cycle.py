from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class IndexCycle(RowRule[Sitemap]):
    """Sitemap index lists itself or an index above it

    When: a sitemap is reached again from one of its descendants. URLs are compared normalized,
    and also after redirects.

    Why: Engines do not follow nested indexes at all. A reader that follows them would never finish.

    Fix: Remove the reference.
    """

    severity = Severity.ERROR
    message = "lists {child}, which is {relation}"
    references = (PRACTICE,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        for child in row.cycles:
            itself = child in (row.sitemap, row.final_url)
            relation = "the file itself" if itself else "an index above it"
            yield self.finding(row, child=child, relation=relation)
