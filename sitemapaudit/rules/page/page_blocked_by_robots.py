from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META, RFC_9309, SEARCH_CONSOLE


class PageBlockedByRobots(RowRule[Page]):
    """Listed URL is blocked by robots.txt

    When: the robots.txt of the URL's own host disallows it for the agent, or returns 5xx or
    429, which disallows everything. The page is then not fetched, and no other rule reports on
    it. A redirect to a blocked URL is not reported, because its target is not listed.

    Why: An engine cannot read the page, nor a noindex on it, and may still index the URL
    without its content.

    Fix: Allow it in robots.txt, or remove the entry.
    """

    severity = Severity.ERROR
    message = "is blocked: {reason}"
    references = (
        RFC_9309,
        GOOGLE_META,
        SEARCH_CONSOLE,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if row.allowed is False:
            yield self.finding(row, reason=row.error_detail)
