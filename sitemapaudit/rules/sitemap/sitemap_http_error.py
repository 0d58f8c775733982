from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, YANDEX
from sitemapaudit.sitemaps.sitemap_reader import DENIED


class SitemapHttpError(RowRule[Sitemap]):
    """Sitemap returns an HTTP error

    When: the final status is 400 or above, other than 401, 403 and 429; or it is a 3xx that leads
    nowhere: 300, 304, 305, 306, or a redirect without a usable Location.

    Why: An engine that cannot fetch the file learns nothing from it.

    Fix: Make the URL return 200, or remove it from robots.txt and from the indexes that list it.
    """

    severity = Severity.ERROR
    message = "returns {status}"
    references = (
        SEARCH_CONSOLE,
        YANDEX,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        status = row.status or 0
        failed = status >= 400 and status not in DENIED
        dead_end = 300 <= status < 400 and row.error in (None, Error.REDIRECT_INVALID)
        if failed or dead_end:
            yield self.finding(row, status=row.status, retries=row.retries)
