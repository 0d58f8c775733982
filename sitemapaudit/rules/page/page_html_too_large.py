from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageHtmlTooLarge(RowRule[Page]):
    """HTML of a listed page is larger than engines read

    When: the URL itself returns 2xx with a body that is read as HTML (by its media type or,
    without one, by its first bytes) and has more than 2,097,152 bytes (2 MB) when decoded.

    Why: Googlebot reads the first 2 MB. It may miss links and directives after that.

    Fix: Move the tags of the head up, and reduce the size of the page.
    """

    severity = Severity.NOTICE
    message = "has {bytes:,} bytes of HTML{note}"
    references = (GOOGLE_HTTP,)

    _limit: Final = 2_097_152

    def check(self, row: Page) -> Iterator[Finding]:
        if row.was_read and row.is_html and (row.bytes or 0) > self._limit:
            note = " or more (reading stopped)" if row.truncated else ""
            yield self.finding(row, bytes=row.bytes, note=note)
