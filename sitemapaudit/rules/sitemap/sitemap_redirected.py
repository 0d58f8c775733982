from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, SEARCH_CONSOLE
from sitemapaudit.sitemaps.reader import DENIED


class SitemapRedirected(RowRule[Sitemap]):
    """The sitemap is reached by a redirect

    When: at least one redirect stands before the file. More than ten, or a loop: error. What
    is kept from the auditor (401, 403, 429) is not judged, and a redirect that names no
    address is sitemap-http-error.

    Why: Each hop costs engines a request; after ten they give up.

    Fix: Declare the final address.
    """

    severity = Severity.ERROR
    message = "{problem}"
    references = (
        SEARCH_CONSOLE,
        GOOGLE_HTTP,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.status in DENIED or row.error is Error.REDIRECT_INVALID:
            return
        if row.error is Error.REDIRECT_LOOP:
            yield self.finding(row, problem="redirects in a circle", hops=row.hops)
        elif row.error is Error.TOO_MANY_REDIRECTS or row.hops > 10:
            yield self.finding(row, problem=f"redirects {row.hops} times", hops=row.hops)
        elif row.hops and row.status is not None:
            problem = f"redirects to {row.final_url}"
            yield self.finding(row, Severity.NOTICE, problem=problem, hops=row.hops)
