from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import W3C_DATETIME
from sitemapaudit.sitemaps.dates import Form, w3c_datetime


class LastmodNoTimezone(RowRule[Entry]):
    """A lastmod has a time without a zone

    When: the lastmod has a time, and neither Z nor an offset such as +01:00 behind it. It is
    taken as UTC.

    Why: A W3C datetime with a time must have a zone; without one it can be off by more than a
    day, and strict readers drop it.

    Fix: Add the zone: 2026-11-21T09:30:00+01:00, or Z for UTC.
    """

    severity = Severity.WARNING
    message = "lastmod {lastmod!r} has a time without a zone"
    references = (W3C_DATETIME,)

    def check(self, row: Entry) -> Iterator[Finding]:
        if not row.lastmod:
            return
        moment = w3c_datetime(row.lastmod)
        if moment is not None and moment.form is Form.NO_ZONE:
            yield self.finding(row, lastmod=row.lastmod)
