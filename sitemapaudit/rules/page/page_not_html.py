from collections.abc import Iterator

from sitemapaudit.http.indexable_types import is_indexable_type
from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, GOOGLE_FILE_TYPES, PRACTICE


class PageNotHtml(RowRule[Page]):
    """Listed URL is not an HTML page

    When: the URL itself returns 2xx with a body, and its media type is not text/html or
    application/xhtml+xml. A type that is not among the file types that Google indexes, such as
    application/zip, application/json or audio/mpeg: error, and the verdict is unsupported-type. A
    type that says nothing, such as application/octet-stream, is one of these if the URL has the
    extension of an archive, a program, a sound or a font. Images, videos, feeds, scripts and XML:
    warning. Documents and anything else: notice. No media type: notice, even if the body is HTML.

    Why: A sitemap may list documents, but images, feeds and data are rarely meant to be
    search results. Such a file can declare a canonical only in an HTTP header.

    Fix: Confirm that the URL belongs in the sitemap. List images and videos in the extensions
    of the entry of the page that shows them.
    """

    severity = Severity.ERROR
    message = "{problem}"
    cause = "are not HTML: each {problem}"
    references = (
        GOOGLE_FILE_TYPES,
        GOOGLE_CANONICAL,
        PRACTICE,
    )

    _unlikely = ("image/", "audio/", "video/")
    _unlikely_endings = ("xml", "javascript")

    def check(self, row: Page) -> Iterator[Finding]:
        media_type = row.content_type
        if not row.was_read or row.bytes == 0 or (row.is_html and media_type):
            return
        problem = f"is served as {media_type}" if media_type else "is served without a media type"
        severity = Severity.NOTICE
        if not row.is_html and is_indexable_type(media_type, row.url) is False:
            severity = Severity.ERROR
            problem += ", which is not a file type that Google indexes"
        elif media_type and self._is_unlikely(media_type):
            severity = Severity.WARNING
        yield self.finding(row, severity, problem=problem, content_type=media_type)

    def _is_unlikely(self, media_type: str) -> bool:
        return media_type.startswith(self._unlikely) or media_type.endswith(self._unlikely_endings)
