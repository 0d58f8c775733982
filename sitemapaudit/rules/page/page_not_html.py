from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, PRACTICE


class PageNotHtml(RowRule[Page]):
    """A listed URL is no HTML page

    When: the URL itself answers 2xx with a body, and its media type is not text/html or
    application/xhtml+xml. Images, audio, video, feeds, scripts, JSON and XML: warning;
    documents, and anything else: notice; no media type: notice, even if the body is HTML.

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
        kind = row.content_type
        if not row.was_read or row.bytes == 0 or (row.html and kind):
            return
        odd = kind is not None and (kind.startswith(self._odd) or kind.endswith(self._odd_ends))
        severity = Severity.WARNING if odd else Severity.NOTICE
        yield self.finding(row, severity, content_type=kind or "sent without a media type")
