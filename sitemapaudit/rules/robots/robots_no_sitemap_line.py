from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Permission, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, PROTOCOL, PROTOCOL_FAQ


class RobotsNoSitemapLine(RowRule[Robots]):
    """robots.txt declares no sitemap

    When: robots.txt was read, and holds no Sitemap record (the key in any case; the record
    belongs to no group).

    Why: A Sitemap line tells every engine at once where the sitemap is; without it each
    must be told by hand, or guess.

    Fix: Add a line "Sitemap: https://…" with the full address.
    """

    severity = Severity.NOTICE
    message = "holds no Sitemap line"
    references = (
        PROTOCOL,
        PROTOCOL_FAQ,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if row.judged and row.permission is Permission.RULES and not row.sitemaps:
            yield self.finding(row)
