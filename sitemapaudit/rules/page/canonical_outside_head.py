from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.canonical import OUTSIDE_HEAD, TAG
from sitemapaudit.rules.concerns import CANONICALS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class CanonicalOutsideHead(RowRule[Page]):
    """Canonical tag of a listed page is outside the head

    When: the URL itself returns 2xx, no canonical tag in its head is usable, and a canonical
    tag after the end of the parsed head would be. Text, or any element other than title, meta,
    link, script, style, base, noscript and template, ends the head, wherever the source closes
    it. A canonical in the header changes nothing. Only the first such tag is reported.

    Why: Engines accept the tag only in the head. Next.js sends metadata in the head only to the
    crawlers that its list htmlLimitedBots names. So one such page of each site is also fetched
    with the User-Agents of Googlebot and Bingbot, unless `AUDIT_COMPARE_AGENTS` is off, and the
    summary says for whom the canonical counts.

    Fix: Move it up, before the element that ends the head, or add the crawler to htmlLimitedBots.
    """

    severity = Severity.ERROR
    message = "declares the canonical {href!r} outside the head"
    cause = "declare a canonical outside the head"
    concern = CANONICALS
    references = (GOOGLE_CANONICAL,)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        tags = [canonical for canonical in row.canonicals if canonical.source == TAG]
        if any(canonical.ignore_reason is None for canonical in tags):
            return
        for canonical in tags:
            if canonical.ignore_reason == OUTSIDE_HEAD:
                yield self.finding(row, href=canonical.href)
                return
