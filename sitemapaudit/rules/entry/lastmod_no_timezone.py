from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import has_unusual_date
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import BING, W3C_DATETIME
from sitemapaudit.sitemaps.w3c_dates import DateFormat, w3c_datetime


class LastmodNoTimezone(RowRule[Entry]):
    """lastmod has a time without a time zone

    When: the lastmod has a time, but neither Z nor an offset such as +01:00 after it. The time is
    read as UTC.

    Why: A W3C date with a time must have a time zone. Without one it can be wrong by more than a
    day, and strict parsers drop it.

    Fix: Add the time zone: 2026-11-21T09:30:00+01:00, or Z for UTC.
    """

    severity = Severity.WARNING
    message = "lastmod {lastmod!r} has a time without a time zone"
    cause = "have a lastmod without a time zone"
    concern = has_unusual_date
    references = (W3C_DATETIME, BING)

    def check(self, row: Entry) -> Iterator[Finding]:
        if not row.lastmod:
            return
        moment = w3c_datetime(row.lastmod)
        if moment is not None and moment.format is DateFormat.NO_ZONE:
            yield self.finding(row, lastmod=row.lastmod)
