from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.concerns import STATEMENTS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META, SEARCH_CONSOLE


class NoindexMeta(RowRule[Page]):
    """Listed page is marked noindex in a meta tag

    When: the URL itself returns 2xx with HTML, and a meta robots tag (name in any case, in
    head or body, not inside noscript or template) says noindex or none.

    Why: The sitemap requests indexing, but the page refuses it.

    Fix: Remove the entry, or the tag.
    """

    severity = Severity.ERROR
    message = "says {token} in a meta robots tag"
    cause = "say {token} in a meta robots tag"
    concern = STATEMENTS
    references = (
        GOOGLE_META,
        SEARCH_CONSOLE,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        for statement in row.statements:
            if (
                statement.source == "meta"
                and statement.agent is None
                and statement.token in ("noindex", "none")
            ):
                yield self.finding(row, token=statement.token)
                return
