from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE, XSD
from sitemapaudit.urls import trimmed


class LocMissing(RowRule[Entry]):
    """An entry has no loc

    When: a url or sitemap element has no loc, or one that is empty after trimming.

    Why: The loc is the one thing that an entry must have; without it the entry says
    nothing.

    Fix: Add the address, or remove the entry.
    """

    severity = Severity.ERROR
    message = "has no loc"
    references = (
        PROTOCOL,
        XSD,
        SEARCH_CONSOLE,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.kind in (Kind.URLSET, Kind.SITEMAPINDEX) and not trimmed(row.loc or ""):
            yield self.finding(row, line=row.line)
