from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_REDIRECTS


class PageMetaRefresh(RowRule[Page]):
    """A listed page redirects by a refresh

    When: the page answers 2xx, and a `<meta http-equiv="refresh">` of its raw HTML or a
    Refresh header leads to another normalised URL. Without a delay Google takes it as a
    permanent redirect: error; with one, as a temporary redirect: warning. Each target is told
    once, with the shortest delay.

    Why: Engines may index the target in place of the page, or take longer to see it than with
    a redirect of HTTP.

    Fix: Answer 301, and list the target.
    """

    severity = Severity.ERROR
    message = "refreshes to {target} after {delay:g} seconds, by {source}"
    references = (GOOGLE_REDIRECTS,)

    def check(self, row: Page) -> Iterator[Finding]:
        if row.status is None or not 200 <= row.status < 300 or row.error or row.challenge:
            return
        told = set()
        for refresh in sorted(row.refresh, key=lambda refresh: refresh.delay):
            if refresh.url is None or refresh.url == row.url or refresh.url in told:
                continue
            told.add(refresh.url)
            yield self.finding(
                row,
                Severity.WARNING if refresh.delay > 0 else Severity.ERROR,
                target=refresh.url,
                delay=refresh.delay,
                source="the Refresh header" if refresh.source == "header" else "a meta tag",
            )
