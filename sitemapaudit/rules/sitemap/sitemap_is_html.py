from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE


class SitemapIsHtml(RowRule[Sitemap]):
    """Sitemap is an HTML page

    When: the body is an HTML document.

    Why: Engines cannot read it. It is usually a login page, an error page that returns 200, or a
    single-page application that returns the same page for every URL.

    Fix: Serve the XML file at this URL.
    """

    severity = Severity.ERROR
    message = "is an HTML page"
    references = (SEARCH_CONSOLE,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.kind is Kind.HTML:
            yield self.finding(row, content_type=row.content_type)
