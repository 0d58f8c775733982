from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class LocWhitespace(RowRule[Entry]):
    """White space stands around a loc

    When: a loc in XML begins or ends with white space or a line break. It is trimmed for every
    other rule; white space within is loc-invalid.

    Why: Engines trim it; stricter readers ask for an address that does not exist.

    Fix: Write the tags close around the address.
    """

    severity = Severity.NOTICE
    message = "the loc has white space {where}"
    references = (PRACTICE,)

    def check(self, row: Entry) -> Iterator[Finding]:
        loc = row.loc or ""
        if row.kind is Kind.TEXT or not loc.strip() or loc == loc.strip():
            return
        ends = {"before": loc != loc.lstrip(), "behind": loc != loc.rstrip()}
        where = " and ".join(place for place, there in ends.items() if there)
        yield self.finding(row, where=f"{where} it", loc=loc)
