from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META


class NoindexHeader(RowRule[Page]):
    """A listed page says noindex in a header

    When: the URL itself answers 2xx, and a line of X-Robots-Tag holds noindex or none for no
    agent in particular, or for "*". A name counts for the rest of its line.

    Why: The sitemap asks for what the server refuses.

    Fix: Remove the entry, or the header.
    """

    severity = Severity.ERROR
    message = "says {token} in the X-Robots-Tag header"
    references = (GOOGLE_META,)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        for statement in row.statements:
            if (
                statement.source == "header"
                and statement.agent is None
                and statement.token in ("noindex", "none")
            ):
                yield self.finding(row, token=statement.token)
                return
