from collections.abc import Iterator

from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import RFC_9309
from sitemapaudit.verdicts import DENIED


class RobotsMissing(RowRule[Robots]):
    """robots.txt is missing

    When: robots.txt returns a status from 400 to 499 other than 401, 403, 407 and 429.

    Why: Everything may be crawled, which is often intended. But robots.txt is also where search
    engines look for the sitemap.

    Fix: Add a robots.txt with a Sitemap line if you want one.
    """

    severity = Severity.NOTICE
    message = "returns {status}: everything may be crawled, and no sitemap is declared"
    references = (RFC_9309,)

    def check(self, row: Robots) -> Iterator[Finding]:
        status = row.status or 0
        if row.audited and 400 <= status < 500 and status not in DENIED:
            yield self.finding(row, status=status)
