from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, PRACTICE


class PageNotHtml(RowRule[Page]):
    """Listed URL is not an HTML page

    When: the URL itself returns 2xx with a body, and its media type is not text/html or
    application/xhtml+xml. Images, audio, video, feeds, scripts, JSON and XML: warning.
    Documents and anything else: notice. No media type: notice, even if the body is HTML.

    Why: A sitemap may list documents, but images, feeds and data are rarely meant to be
    search results of their own. Such a file can declare a canonical only in an HTTP header.

    Fix: Confirm that the URL belongs in the sitemap. List images and videos in the extensions
    of the entry of the page that shows them.
    """

    severity = Severity.WARNING
    message = "{problem}"
    references = (
        GOOGLE_CANONICAL,
        PRACTICE,
    )

    _unlikely = ("image/", "audio/", "video/", "application/json", "application/ld+json")
    _unlikely_endings = ("xml", "+json", "javascript")

    def check(self, row: Page) -> Iterator[Finding]:
        media_type = row.content_type
        if not row.was_read or row.bytes == 0 or (row.is_html and media_type):
            return
        unlikely = media_type is not None and (
            media_type.startswith(self._unlikely) or media_type.endswith(self._unlikely_endings)
        )
        severity = Severity.WARNING if unlikely else Severity.NOTICE
        problem = f"is served as {media_type}" if media_type else "is served without a media type"
        yield self.finding(row, severity, problem=problem, content_type=media_type)
