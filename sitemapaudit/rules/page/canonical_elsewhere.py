from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, GOOGLE_CANONICAL


class CanonicalElsewhere(RowRule[Page]):
    """The canonical of a listed page is another URL

    When: there is exactly one usable canonical, and normalised it is not the address of the
    page.

    Why: A sitemap is to list canonical addresses; here the page itself says that it is not
    one.

    Fix: List the canonical address, or correct the tag.
    """

    severity = Severity.ERROR
    message = "names {canonical} as its canonical, by {source}"
    references = (
        GOOGLE_CANONICAL,
        GOOGLE_BUILD,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if row.canonical is not None and row.canonical != row.url:
            yield self.finding(row, canonical=row.canonical, source=row.canonical_source)
