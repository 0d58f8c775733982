from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.canonical import HEADER, TAG
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_8288


class CanonicalHeaderConflict(RowRule[Page]):
    """Tag and header of a listed page name different canonicals

    When: a usable canonical of the Link header (RFC 8288) and one of the head differ when
    normalised.

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
        if row.noindex is None:
            return
        first: dict[str, str | None] = {}
        for canonical in row.canonicals:
            if canonical.fault is None:
                first.setdefault(canonical.source, canonical.url)
        if len(first) == 2 and first[TAG] != first[HEADER]:
            yield self.finding(row, tag=first[TAG], header=first[HEADER])
