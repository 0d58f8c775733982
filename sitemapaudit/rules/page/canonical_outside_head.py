from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.canonical import OUTSIDE_HEAD, TAG
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class CanonicalOutsideHead(RowRule[Page]):
    """The canonical of a listed page stands outside the head

    When: a canonical tag stands only behind the end of the parsed head. Any element but
    title, meta, link, script, style, base, noscript and template ends the head, wherever
    the source closes it.

    Why: Engines accept the tag in the head only.

    Fix: Move it up, before the element that ends the head.
    """

    severity = Severity.ERROR
    message = "names {href!r} as its canonical, but outside the head"
    references = (GOOGLE_CANONICAL,)

    def check(self, row: Page) -> Iterator[Finding]:
        if row.noindex is None:
            return
        tags = [canonical for canonical in row.canonicals if canonical.source == TAG]
        if any(canonical.fault is None for canonical in tags):
            return
        for canonical in tags:
            if canonical.fault == OUTSIDE_HEAD:
                yield self.finding(row, href=canonical.href)
                return
