from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE
from sitemapaudit.sitemaps.reader import MAX_BYTES, MAX_ENTRIES


class SitemapNearLimit(RowRule[Sitemap]):
    """The sitemap has nearly reached a limit

    When: a file in the format of a sitemap has at least 90 % of the entries or of the decoded
    bytes that are allowed (45,000 entries, 47,185,920 bytes), and is above neither limit.

    Why: The next pages may make the file too large, and engines then refuse all of it.

    Fix: Split it before that.
    """

    severity = Severity.NOTICE
    message = "has {entries:,} entries in {bytes:,} bytes, at least 90 % of what is allowed"
    references = (PRACTICE,)

    def check(self, row: Sitemap) -> Iterator[Finding]:
        size = row.bytes or 0
        if row.kind in (Kind.HTML, Kind.UNKNOWN):
            return
        if row.cut or row.entries > MAX_ENTRIES or size > MAX_BYTES:
            return
        if 10 * row.entries >= 9 * MAX_ENTRIES or 10 * size >= 9 * MAX_BYTES:
            yield self.finding(row, entries=row.entries, bytes=size)
