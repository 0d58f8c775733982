from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class CanonicalMissing(RowRule[Page]):
    """Listed page declares no canonical

    When: the URL itself returns 200 with a body that is read as HTML (by its media type or,
    without one, by its first bytes), and neither its head nor its header has a usable
    canonical. Canonicals that disagree with each other are usable. Nothing is reported on a page
    that redirects with a refresh or a script; page-meta-refresh reports it.

    Why: If a page is available at several URLs, engines must guess which one is canonical.

    Fix: Add a canonical that names the page itself.
    """

    severity = Severity.NOTICE
    message = "declares no usable canonical"
    cause = "declare no usable canonical"
    references = (GOOGLE_CANONICAL,)

    def check(self, row: Page) -> Iterator[Finding]:
        if row.may_redirect or not (
            row.was_read and row.is_html and row.status == 200 and row.bytes
        ):
            return
        if all(canonical.ignore_reason for canonical in row.canonicals):
            yield self.finding(row)
