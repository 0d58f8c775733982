from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.concerns import STATEMENTS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META


class NoindexHeader(RowRule[Page]):
    """Listed page is marked noindex in an HTTP header

    When: the URL itself returns 2xx, and a line of X-Robots-Tag says noindex or none to no
    agent in particular, or to "*". An agent name applies to the rest of its line.

    Why: The sitemap requests indexing, but the server refuses it.

    Fix: Remove the entry, or the header.
    """

    severity = Severity.ERROR
    message = "says {token} in the X-Robots-Tag header"
    cause = "say {token} in the X-Robots-Tag header"
    concern = STATEMENTS
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
