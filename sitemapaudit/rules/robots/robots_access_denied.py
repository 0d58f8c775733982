from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, RFC_9309

_DENIED = frozenset({401, 403, 407})


class RobotsAccessDenied(RowRule[Robots]):
    """Access to robots.txt is denied

    When: robots.txt returns 401, 403 or 407, or a known bot challenge. robots-unreachable reports
    429.

    Why: Crawlers treat this as a missing file: everything may be crawled, and no sitemap is
    declared. A firewall may keep out only this auditor; then the rules and sitemaps are unknown.

    Fix: Make robots.txt public: it keeps no secrets, and every crawler needs it.
    """

    severity = Severity.WARNING
    message = "returns {status}{note}: its content is unknown"
    references = (
        RFC_9309,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        challenged = row.error is Error.CHALLENGE
        if row.audited and (row.status in _DENIED or challenged):
            note = f" ({row.error_detail})" if challenged else ""
            yield self.finding(row, status=row.status, note=note)
