from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.numbers import count_noun
from sitemapaudit.rules.concerns import OUTSIDE_ALTERNATES
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangOutsideHead(RowRule[Page]):
    """hreflang links of a listed page are outside the head

    When: the URL itself returns 2xx, and has `link` elements with `hreflang` after the end of the
    parsed head. Text, or any element other than title, meta, link, script, style, base, noscript
    and template, ends the head, wherever the source closes it. Links for other media or of other
    types than HTML do not count.

    Why: Google reads hreflang links in the head only, so these have no effect.

    Fix: Move them up, before the element that ends the head, or declare the alternates in the
    header or in the sitemap.
    """

    severity = Severity.WARNING
    message = "has {links} outside the head"
    cause = "have hreflang links outside the head"
    concern = OUTSIDE_ALTERNATES
    references = (GOOGLE_HREFLANG,)

    def check(self, row: Page) -> Iterator[Finding]:
        if row.was_read and row.alternates_outside_head:
            links = count_noun(row.alternates_outside_head, "hreflang link")
            yield self.finding(row, links=links)
