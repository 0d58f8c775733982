from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.canonical import OUTSIDE_HEAD, TAG
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class CanonicalOutsideHead(RowRule[Page]):
    """The canonical of a listed page stands outside the head

    When: the URL itself answers 2xx, no canonical tag of its head is usable, and one stands
    behind the end of the parsed head that would be. Any element but title, meta, link,
    script, style, base, noscript and template ends the head, and so does text, wherever the
    source closes it. A canonical of the header changes nothing. The first is told.

    Why: Engines accept the tag in the head only.

    Fix: Move it up, before the element that ends the head.
    """

    severity = Severity.ERROR
    message = "names {href!r} as its canonical, but outside the head"
    references = (GOOGLE_CANONICAL,)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        tags = [canonical for canonical in row.canonicals if canonical.source == TAG]
        if any(canonical.fault is None for canonical in tags):
            return
        for canonical in tags:
            if canonical.fault == OUTSIDE_HEAD:
                yield self.finding(row, href=canonical.href)
                return
