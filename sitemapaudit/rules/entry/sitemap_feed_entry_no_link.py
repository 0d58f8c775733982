from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL


class SitemapFeedEntryNoLink(RowRule[Entry]):
    """Feed entry has no link

    When: an item of an RSS feed has no link, or an entry of an Atom feed has no link with an href
    and with the rel alternate or no rel. An empty link counts as missing.

    Why: Search engines read the URL from the link. Without it the entry lists nothing.

    Fix: Add the link.
    """

    severity = Severity.WARNING
    message = "entry {position} has no link"
    cause = "have no link"
    concern = is_unusual
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.kind in (Kind.RSS, Kind.ATOM) and not (row.loc or "").strip():
            yield self.finding(row, position=row.position)
