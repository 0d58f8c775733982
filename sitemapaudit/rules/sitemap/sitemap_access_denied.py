from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HTTP
from sitemapaudit.sitemaps.sitemap_reader import DENIED


class SitemapAccessDenied(RowRule[Sitemap]):
    """Access to the sitemap is denied

    When: the final status is 401, 403 or 429, or the response is a known bot challenge. The content
    of the file is then unknown.

    Why: A firewall or a rate limit may keep out only this auditor. If it keeps out engines too,
    they learn nothing from the file.

    Fix: Let the auditor in, and check with the engines' own tools that they receive 200.
    """

    severity = Severity.WARNING
    message = "returns {status}{note}: its content is unknown"
    references = (GOOGLE_HTTP,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        challenged = row.error is Error.CHALLENGE
        if row.status in DENIED or challenged:
            note = f" ({row.error_detail})" if challenged else ""
            yield self.finding(row, status=row.status, note=note)
