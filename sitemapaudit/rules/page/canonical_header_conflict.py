from collections.abc import Iterator
from itertools import product

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.canonical import HEADER, TAG
from sitemapaudit.rules.concerns import CANONICALS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_8288


class CanonicalHeaderConflict(RowRule[Page]):
    """Canonical tag and Link header of a listed page differ

    When: the URL itself returns 2xx, and a usable canonical in its Link header (RFC 8288) and a
    usable canonical in its head differ when normalized. If there are several of either, any
    pair counts. Only the first such pair is reported.

    Why: Engines ignore both.

    Fix: Use only one of the two techniques.
    """

    severity = Severity.ERROR
    message = "declares the canonical {tag} in a tag and {header} in a Link header"
    cause = "declare different canonicals in a tag and in a Link header"
    concern = CANONICALS
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
            if canonical.source == source and canonical.ignore_reason is None
        ]
