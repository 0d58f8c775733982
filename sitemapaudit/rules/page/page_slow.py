from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.needs import Choice
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CRAWL_BUDGET, WEB_DEV_TTFB


class PageSlow(RowRule[Page]):
    """Listed page responds slowly

    When: the page returns 2xx, and its response began more than AUDIT_SLOW_SECONDS after the
    request, which is 1.8 seconds by default. The time includes connecting, and not the body. A time
    that the audit could not measure, because its own machine was busy, does not count.

    Why: Search engines fetch fewer pages of a host that responds slowly. web.dev calls a time to
    first byte of more than 1.8 seconds poor.

    Fix: Cache the page, or find out what its server waits for.
    """

    severity = Severity.NOTICE
    message = "responded after {seconds:.1f} seconds; the limit is {limit:g}"
    references = (
        WEB_DEV_TTFB,
        GOOGLE_CRAWL_BUDGET,
    )
    depends_on = (Choice("slow_seconds"),)

    def check(self, row: Page) -> Iterator[Finding]:
        limit = self.rule_options.slow_seconds
        if limit and row.elapsed is not None and row.elapsed > limit and row.was_read:
            yield self.finding(row, seconds=row.elapsed, limit=limit)
