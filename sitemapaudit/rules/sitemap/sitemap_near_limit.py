from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE
from sitemapaudit.sitemaps.sitemap_reader import MAX_BYTES, MAX_ENTRIES


class SitemapNearLimit(RowRule[Sitemap]):
    """Sitemap is close to a limit

    When: a file in a sitemap format has at least 90 % of the entries or of the decoded bytes that
    are allowed (45,000 entries, 47,185,920 bytes), and exceeds neither limit.

    Why: The next pages may take the file over the limit, and engines then reject all of it.

    Fix: Split it before that happens.
    """

    severity = Severity.NOTICE
    message = (
        f"has {{entries}} of the {MAX_ENTRIES:,} entries and {{bytes}} of the {MAX_BYTES:,} bytes"
        " that are allowed"
    )
    references = (PRACTICE,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        size = row.bytes or 0
        if row.kind in (Kind.HTML, Kind.UNKNOWN):
            return
        if row.truncated or row.entries > MAX_ENTRIES or size > MAX_BYTES:
            return
        if 10 * row.entries >= 9 * MAX_ENTRIES or 10 * size >= 9 * MAX_BYTES:
            yield self.finding(row, entries=row.entries, bytes=size)
