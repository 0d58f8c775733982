from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import RFC_9309


class RobotsMissing(RowRule[Robots]):
    """There is no robots.txt

    When: robots.txt answers 400 to 499 other than 429.

    Why: Everything may be crawled, which is often meant. Yet robots.txt is also where
    engines look for the sitemap.

    Fix: Add one with a Sitemap line, if wanted.
    """

    severity = Severity.NOTICE
    message = "answers {status}: everything may be crawled, and no sitemap is declared"
    references = (RFC_9309,)

    def check(self, row: Robots) -> Iterator[Finding]:
        status = row.status or 0
        if row.judged and 400 <= status < 500 and status != 429:
            yield self.finding(row, status=status)
