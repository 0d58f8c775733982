from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.canonical import HEADER, TAG
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_8288


class CanonicalHeaderConflict(RowRule[Page]):
    """Tag and header of a listed page name different canonicals

    When: the URL itself answers 2xx, and a usable canonical of its Link header (RFC 8288) and
    a usable one of its head differ when normalised, whichever these are where there are
    several. The first such pair is told.

    Why: Engines pass over both.

    Fix: Keep one of the two techniques.
    """

    severity = Severity.ERROR
    message = "names {tag} in a tag and {header} in a header"
    references = (
        GOOGLE_CANONICAL,
        RFC_8288,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        for tag, header in product(self._usable(row, TAG), self._usable(row, HEADER)):
            if tag != header:
                yield self.finding(row, tag=tag, header=header)
                return

    def _usable(self, row: Page, source: str) -> list[str | None]:
        return [
            canonical.url
            for canonical in row.canonicals
            if canonical.source == source and canonical.fault is None
        ]
