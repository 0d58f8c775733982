from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_6596


class CanonicalOffsite(RowRule[Page]):
    """The canonical of a listed page is on another host

    When: the URL itself answers 2xx, its usable canonicals all name one address, and the host
    of that is not the page's own (www and no www are two): warning. From https to http:
    error, on the same host too.

    Why: The page hands its place in results to another host, which may be meant for
    syndicated content only.

    Fix: Confirm the intent, or name an address of the same host, with https.
    """

    severity = Severity.ERROR
    message = "names the canonical {canonical}, {problem}"
    references = (
        RFC_6596,
        GOOGLE_CANONICAL,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if row.canonical is None:
            return
        if urls.scheme(row.url) == "https" and urls.scheme(row.canonical) == "http":
            yield self.finding(row, canonical=row.canonical, problem="from https to http")
        elif urls.host(row.canonical) != urls.host(row.url):
            yield self.finding(
                row, Severity.WARNING, canonical=row.canonical, problem="on another host"
            )
