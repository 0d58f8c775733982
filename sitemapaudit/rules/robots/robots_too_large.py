from collections.abc import Iterator

from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.robots import MAX_BYTES
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, RFC_9309


class RobotsTooLarge(RowRule[Robots]):
    """robots.txt is too large

    When: the decoded body is larger than 512,000 bytes (500 KiB). Exactly 512,000 bytes are
    allowed.

    Why: Google ignores everything beyond that limit, both rules and Sitemap lines. So does this
    audit.

    Fix: Shorten the file, and put the Sitemap lines first.
    """

    severity = Severity.WARNING
    message = "has at least {bytes} bytes; only the first {limit} are read"
    references = (
        RFC_9309,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if row.audited and (row.bytes or 0) > MAX_BYTES:
            yield self.finding(row, bytes=row.bytes, limit=MAX_BYTES)
