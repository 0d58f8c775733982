from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Revalidation, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CACHING, RFC_9110


class RevalidationUntrue(RowRule[Page]):
    """304 response for a page that changed

    When: with `reuse`, the server said that a page was not modified since the earlier run, and what
    it sends without conditions differs in title, text, canonical, language alternates, robots
    directives or another column that `hidden_changes` names.

    Why: Search engines revalidate pages in the same way. They keep the old content, and do not
    learn of the new one until they fetch the page in full.

    Fix: Let the ETag and Last-Modified of the page change with everything in it: the template, data
    from elsewhere, and headers such as X-Robots-Tag. Purge caches on each deployment.
    """

    severity = Severity.WARNING
    message = "not modified according to the server (304), but it differs: {differs}"
    references = (
        GOOGLE_CACHING,
        RFC_9110,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if row.revalidation is Revalidation.UNTRUE:
            yield self.finding(row, differs=", ".join(row.hidden_changes))
