from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HTTP
from sitemapaudit.sitemaps.sitemap_reader import DENIED


class SitemapAccessDenied(RowRule[Sitemap]):
    """Access to the sitemap is denied

    When: the final status is 401, 403 or 429. The content of the file is then unknown.

    Why: A firewall or a rate limit may keep out only this auditor. If it keeps out engines too,
    they learn nothing from the file.

    Fix: Let the auditor in, and check with the engines' own tools that they receive 200.
    """

    severity = Severity.WARNING
    message = "returns {status}: its content is unknown"
    references = (GOOGLE_HTTP,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.status in DENIED:
            yield self.finding(row, status=row.status)
