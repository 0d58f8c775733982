from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, SEARCH_CONSOLE
from sitemapaudit.sitemaps.sitemap_reader import DENIED


class SitemapRedirected(RowRule[Sitemap]):
    """Sitemap redirects

    When: at least one redirect precedes the file. More than ten, or a loop: error. A sitemap with
    denied access (401, 403, 429) is not checked, and sitemap-http-error reports a redirect without
    a usable Location.

    Why: Each redirect costs engines a request. After ten they give up.

    Fix: Declare the final URL.
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
            yield self.finding(row, problem="redirects in a loop", hops=row.hops)
        elif row.error is Error.TOO_MANY_REDIRECTS or row.hops > 10:
            yield self.finding(row, problem=f"redirects {row.hops} times", hops=row.hops)
        elif row.hops and row.status is not None:
            problem = f"redirects to {row.final_url}"
            yield self.finding(row, Severity.NOTICE, problem=problem, hops=row.hops)
