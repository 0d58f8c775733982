from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class LocFragment(RowRule[Entry]):
    """A loc has a fragment

    When: a loc that can be asked for holds a `#`, be the fragment behind it empty or not.

    Why: A fragment never reaches the server: engines take the address without it, so that
    several such entries are one page.

    Fix: Remove it, and keep one entry.
    """

    severity = Severity.WARNING
    message = "the loc has the fragment {fragment!r}"
    references = (GOOGLE_CANONICAL,)

    def check(self, row: Entry) -> Iterator[Finding]:
        _, sign, fragment = (row.loc or "").strip().partition("#")
        if sign and row.url is not None:
            yield self.finding(row, fragment=f"#{fragment}", loc=row.loc)
