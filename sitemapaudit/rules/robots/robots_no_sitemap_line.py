from collections.abc import Iterator

from sitemapaudit.items import Finding, Permission, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, PROTOCOL, PROTOCOL_FAQ


class RobotsNoSitemapLine(RowRule[Robots]):
    """robots.txt declares no sitemap

    When: robots.txt was read and has no Sitemap line. The name of the line is not case-sensitive,
    and the line belongs to no group.

    Why: A Sitemap line shows every search engine where the sitemap is. Without it, search engines
    must guess the URL, unless you submit the sitemap to each of them.

    Fix: Add a line "Sitemap: https://…" with the absolute URL of the sitemap.
    """

    severity = Severity.NOTICE
    message = "has no Sitemap line"
    references = (
        PROTOCOL,
        PROTOCOL_FAQ,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if row.audited and row.permission is Permission.RULES and not row.sitemaps:
            yield self.finding(row)
