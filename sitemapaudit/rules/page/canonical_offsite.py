from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.concerns import CANONICAL
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_6596


class CanonicalOffsite(RowRule[Page]):
    """Listed page is canonicalized to another host or to http

    When: the URL itself returns 2xx, all its usable canonicals name one URL, and the host of
    that URL is not the host of the page (www.example.com and example.com are different hosts):
    warning. From https to http: error, even on the same host.

    Why: The page gives its place in search results to another host. Usually only syndicated
    content is meant to do that.

    Fix: Confirm that this is intended, or name a URL on the same host, with https.
    """

    severity = Severity.ERROR
    message = "is canonicalized to {canonical} ({problem})"
    concern = CANONICAL
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
                row, Severity.WARNING, canonical=row.canonical, problem="another host"
            )
