from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Permission, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, RFC_9309


class RobotsUnreachable(RowRule[Robots]):
    """robots.txt cannot be had

    When: robots.txt of an audited site, or of the host of a declared sitemap, answers 500
    to 599 or 429, or gives no answer (DNS, connection, TLS, time-out) after retries, or one
    whose Content-Encoding cannot be undone. 401 and 403 are not meant.

    Why: Crawlers must then take everything as disallowed. Google stops crawling for twelve
    hours, and then goes by its last copy for up to thirty days.

    Fix: Make robots.txt answer 200, or 404 if there is none.
    """

    severity = Severity.ERROR
    message = "{problem}: crawlers then take everything as disallowed"
    references = (
        RFC_9309,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.judged:
            return
        if row.permission is Permission.NONE:
            yield self.finding(row, problem=f"answers {row.status}", status=row.status)
        elif row.permission is Permission.UNREACHABLE and row.error is not Error.INTERNAL:
            problem = f"gives no answer ({row.error})"
            if row.error is Error.ENCODING:
                problem = f"cannot be decoded ({row.error_detail})"
            yield self.finding(row, problem=problem, error=row.error, detail=row.error_detail)
