from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META, RFC_9309, SEARCH_CONSOLE


class PageBlockedByRobots(RowRule[Page]):
    """robots.txt forbids a listed URL

    When: the robots.txt of the URL's own host disallows it for the agent, or answers 5xx or
    429, which forbids all. The page is then not asked for, and nothing else is said of it.
    The target of a redirect may be forbidden: that is no finding, since it is not listed.

    Why: An engine cannot read the page, nor a noindex on it: it may still index the bare
    address.

    Fix: Allow it in robots.txt, or remove the entry.
    """

    severity = Severity.ERROR
    message = "is not to be asked for: {reason}"
    references = (
        RFC_9309,
        GOOGLE_META,
        SEARCH_CONSOLE,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if row.allowed is False:
            yield self.finding(row, reason=row.error_detail)
