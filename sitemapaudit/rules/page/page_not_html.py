from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.reader import HTML_TYPES
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, PRACTICE


class PageNotHtml(RowRule[Page]):
    """A listed URL is no HTML page

    When: the answer is 2xx and its media type is not text/html or application/xhtml+xml.
    Images, audio, video, feeds, JSON and XML: warning; documents, and anything else:
    notice; no media type: notice.

    Why: A sitemap may list documents, yet images, feeds and data are hardly meant as
    results of their own. A canonical of such a file can only stand in an HTTP header.

    Fix: Confirm that it belongs there; name images and videos in the extensions of the page
    that shows them.
    """

    severity = Severity.WARNING
    message = "is {content_type}"
    references = (
        GOOGLE_CANONICAL,
        PRACTICE,
    )

    _odd = ("image/", "audio/", "video/", "application/json", "application/ld+json")
    _odd_ends = ("xml", "+json", "javascript")

    def check(self, row: Page) -> Iterator[Finding]:
        if row.status is None or not 200 <= row.status < 300 or row.bytes == 0 or row.challenge:
            return
        kind = row.content_type
        if kind in HTML_TYPES:
            return
        odd = kind is not None and (kind.startswith(self._odd) or kind.endswith(self._odd_ends))
        severity = Severity.WARNING if odd else Severity.NOTICE
        yield self.finding(row, severity, content_type=kind or "sent without a media type")
