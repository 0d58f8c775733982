from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageHtmlTooLarge(RowRule[Page]):
    """A page is larger than engines read

    When: the URL itself answers 2xx with a body that is read as HTML (by its media type or,
    without one, by its first bytes), of more than 2,097,152 bytes (2 MB) when decoded.

    Why: Googlebot reads the first 2 MB: links and directives behind that may go unseen.

    Fix: Move what stands in the head up, and slim the page.
    """

    severity = Severity.NOTICE
    message = "has {bytes:,} bytes of HTML{more}"
    references = (GOOGLE_HTTP,)

    _limit: Final = 2_097_152

    def check(self, row: Page) -> Iterator[Finding]:
        if row.was_read and row.html and (row.bytes or 0) > self._limit:
            more = " or more (reading stopped)" if row.cut else ""
            yield self.finding(row, bytes=row.bytes, more=more)
