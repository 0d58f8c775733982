from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.locs import is_absolute
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL, SEARCH_CONSOLE


class LocNotAbsolute(RowRule[Entry]):
    """A loc is not a full address

    When: the loc has no scheme or no host: it is relative, or begins with //.

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
        loc = (row.loc or "").strip()
        if loc and not is_absolute(loc):
            yield self.finding(row, loc=row.loc)
