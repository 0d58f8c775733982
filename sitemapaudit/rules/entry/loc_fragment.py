from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class LocFragment(RowRule[Entry]):
    """loc has a fragment

    When: a loc with a valid URL contains a `#`, even if the fragment after it is empty.

    Why: A fragment is never sent to the server. Search engines ignore it, so several such entries
    are the same page.

    Fix: Remove the fragment, and keep one entry.
    """

    severity = Severity.WARNING
    message = "loc has the fragment {fragment!r}"
    cause = "have a loc with a fragment"
    concern = is_unusual
    references = (GOOGLE_CANONICAL,)

    def check(self, row: Entry) -> Iterator[Finding]:
        _, sign, fragment = (row.loc or "").strip().partition("#")
        if sign and row.url is not None:
            yield self.finding(row, fragment=f"#{fragment}", loc=row.loc)
