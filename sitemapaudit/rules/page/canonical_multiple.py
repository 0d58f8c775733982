from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.canonical import HEADER, TAG
from sitemapaudit.rules.concerns import CANONICALS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_6596


class CanonicalMultiple(RowRule[Page]):
    """Listed page declares multiple canonicals

    When: the URL itself returns 2xx and has at least two usable canonicals in its head, or in
    its header. If their normalized targets differ: error. If the same target is repeated in one
    place: notice. The same target once in each place is fine. A tag that differs from the
    header is reported by canonical-header-conflict only.

    Why: Engines ignore all of them if they disagree.

    Fix: Keep one.
    """

    severity = Severity.ERROR
    message = "declares {count} canonicals in {place}: {targets}"
    cause = "declare {count} canonicals in {place}"
    concern = CANONICALS
    references = (
        RFC_6596,
        GOOGLE_CANONICAL,
    )

    _places = {TAG: "its head", HEADER: "its header"}

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        for source, place in self._places.items():
            usable = [
                canonical.url
                for canonical in row.canonicals
                if canonical.source == source and canonical.ignore_reason is None
            ]
            if len(usable) > 1:
                severity = Severity.ERROR if len(set(usable)) > 1 else Severity.NOTICE
                targets = ", ".join(dict.fromkeys(filter(None, usable)))
                yield self.finding(row, severity, count=len(usable), place=place, targets=targets)
