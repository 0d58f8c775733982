from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL


class SitemapFeedEntryNoLink(RowRule[Entry]):
    """An entry of a feed has no link

    When: an item of an RSS feed has no link, or an entry of an Atom feed no link with href
    whose rel is absent or alternate; an empty one is none.

    Why: The link is what engines take from a feed; such an entry lists nothing.

    Fix: Add the link.
    """

    severity = Severity.WARNING
    message = "entry {position} has no link"
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.kind in (Kind.RSS, Kind.ATOM) and not (row.loc or "").strip():
            yield self.finding(row, position=row.position)
