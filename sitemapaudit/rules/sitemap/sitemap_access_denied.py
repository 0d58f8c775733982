from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HTTP
from sitemapaudit.sitemaps.reader import DENIED


class SitemapAccessDenied(RowRule[Sitemap]):
    """The sitemap is kept from the auditor

    When: the final status is 401, 403 or 429. What is in the file could then not be known.

    Why: It may be only this auditor that is kept out, by a firewall or a rate limit; if
    engines are too, they learn nothing from the file.

    Fix: Let the auditor in, and check with the engines' own tools that they get 200.
    """

    severity = Severity.WARNING
    message = "answers {status}: what it holds could not be known"
    references = (GOOGLE_HTTP,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.status in DENIED:
            yield self.finding(row, status=row.status)
