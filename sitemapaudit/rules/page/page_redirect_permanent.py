from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.concerns import TARGET
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, GOOGLE_REDIRECTS


class PageRedirectPermanent(RowRule[Page]):
    """Listed URL redirects permanently (301 or 308)

    When: the URL itself returns 301 or 308 with a valid Location. A redirect without one is
    reported by page-redirect-invalid only.

    Why: A sitemap should list the URLs that belong in search results, but a permanent redirect
    says that this URL is not one of them.

    Fix: List the target instead.
    """

    severity = Severity.ERROR
    message = "returns {status} and redirects to {location}"
    concern = TARGET
    references = (
        GOOGLE_REDIRECTS,
        GOOGLE_BUILD,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if row.status in (301, 308) and row.target is not None:
            yield self.finding(row, status=row.status, location=row.location)
