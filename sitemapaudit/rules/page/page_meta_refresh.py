from collections.abc import Iterator
from typing import Final

from sitemapaudit.items import SCRIPT, Finding, Page, Severity
from sitemapaudit.rules.concerns import REFRESHES
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_REDIRECTS

_SOURCES: Final = {
    "header": "a Refresh header",
    "meta": "a meta refresh",
    SCRIPT: "a script, and a meta refresh in noscript",
}


class PageMetaRefresh(RowRule[Page]):
    """Listed page redirects with a meta refresh

    When: the page returns 2xx, and a `<meta http-equiv="refresh">` in its raw HTML or a Refresh
    header points to another normalized URL. Google treats a refresh without a delay as a
    permanent redirect: error, and the verdict is redirected, so that rules about the page itself
    do not apply. It treats one with a delay as a temporary redirect: warning. A meta refresh in
    noscript counts if a short script opens an address and names the same URL: warning. The source
    does not say when the script does so; rendering decides the verdict. Each target is reported
    once, with the shortest delay.

    Why: Engines may index the target in place of the page, or take longer to notice it than
    an HTTP redirect.

    Fix: Return 301, and list the target.
    """

    severity = Severity.ERROR
    message = "redirects to {target} after {delay:g} s with {source}"
    cause = "redirect after {delay:g} s with {source}"
    concern = REFRESHES
    references = (GOOGLE_REDIRECTS,)

    def check(self, row: Page) -> Iterator[Finding]:
        if row.status is None or not 200 <= row.status < 300 or row.error or row.challenge:
            return
        for refresh in row.redirecting_refreshes:
            yield self.finding(
                row,
                Severity.WARNING
                if refresh.delay > 0 or refresh.source == SCRIPT
                else Severity.ERROR,
                target=refresh.url,
                delay=refresh.delay,
                source=_SOURCES[refresh.source],
            )
