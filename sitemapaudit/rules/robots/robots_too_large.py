from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.robots import MAX_BYTES
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, RFC_9309


class RobotsTooLarge(RowRule[Robots]):
    """robots.txt is too large

    When: the decoded body has more than 512,000 bytes (500 KiB); just that many pass.

    Why: Google ignores what stands behind that, rules and Sitemap lines alike, and so does
    this audit.

    Fix: Shorten it, and write the Sitemap lines first.
    """

    severity = Severity.WARNING
    message = "has {bytes:,} bytes or more, and {limit:,} are read"
    references = (
        RFC_9309,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if row.judged and (row.bytes or 0) > MAX_BYTES:
            yield self.finding(row, bytes=row.bytes, limit=MAX_BYTES)
