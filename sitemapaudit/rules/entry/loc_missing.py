from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE, XSD
from sitemapaudit.urls import strip_whitespace


class LocMissing(RowRule[Entry]):
    """Entry has no loc

    When: a url or sitemap element has no loc, or its loc is empty after trimming.

    Why: The loc is the only element that an entry must have. Without it the entry has no effect.

    Fix: Add the URL, or remove the entry.
    """

    severity = Severity.ERROR
    message = "entry {position} has no loc"
    cause = "have no loc"
    concern = is_unusual
    references = (
        PROTOCOL,
        XSD,
        SEARCH_CONSOLE,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.kind in (Kind.URLSET, Kind.SITEMAPINDEX) and not strip_whitespace(row.loc or ""):
            yield self.finding(row, position=row.position, line=row.line)
