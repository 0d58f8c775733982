from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, YANDEX
from sitemapaudit.sitemaps.reader import DENIED


class SitemapHttpError(RowRule[Sitemap]):
    """The sitemap answers with an error

    When: the final status is 400 or above, other than 401, 403 and 429; or a 3xx that leads
    nowhere: 300, 304, 305, 306, or a redirect that has no usable Location.

    Why: An engine that cannot fetch the file learns nothing from it.

    Fix: Make the address answer 200, or take it out of robots.txt and of the indexes that
    list it.
    """

    severity = Severity.ERROR
    message = "answers {status}"
    references = (
        SEARCH_CONSOLE,
        YANDEX,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        status = row.status or 0
        failed = status >= 400 and status not in DENIED
        stranded = 300 <= status < 400 and row.error in (None, Error.REDIRECT_INVALID)
        if failed or stranded:
            yield self.finding(row, status=row.status, retries=row.retries)
