from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.locs import is_absolute
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL, SEARCH_CONSOLE
from sitemapaudit.urls import trimmed


class LocNotAbsolute(RowRule[Entry]):
    """A loc is not a full address

    When: the loc has no scheme or no host: it is relative, or begins with //. A line of a
    text sitemap is sitemap-text-line-invalid.

    Why: Engines do not resolve a loc against anything, and drop the entry.

    Fix: Write the full address, with protocol and host.
    """

    severity = Severity.ERROR
    message = "{loc!r} is not a full address"
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
        SEARCH_CONSOLE,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        loc = trimmed(row.loc or "")
        if loc and row.kind is not Kind.TEXT and not is_absolute(loc):
            yield self.finding(row, loc=row.loc)
