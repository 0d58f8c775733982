from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, YANDEX
from sitemapaudit.sitemaps.sitemap_reader import DENIED


class SitemapHttpError(RowRule[Sitemap]):
    """Sitemap returns an HTTP error

    When: the final status is 400 or above, other than 401, 403 and 429; or it is a 3xx that leads
    nowhere: 300, 304, 305, 306, or a redirect without a usable Location. The message says so if
    the body is a sitemap nevertheless.

    Why: An engine that cannot fetch the file learns nothing from it. The status counts: it does not
    read the body, even if a browser shows a sitemap.

    Fix: Make the URL return 200, or remove it from robots.txt and from the indexes that list it.
    """

    severity = Severity.ERROR
    message = "returns {status}{note}"
    references = (
        SEARCH_CONSOLE,
        YANDEX,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        status = row.status or 0
        failed = status >= 400 and status not in DENIED
        dead_end = 300 <= status < 400 and row.error in (None, Error.REDIRECT_INVALID)
        if failed or dead_end:
            note = f", although its body is a sitemap ({row.error_body})" if row.error_body else ""
            yield self.finding(row, status=row.status, note=note, retries=row.retries)
