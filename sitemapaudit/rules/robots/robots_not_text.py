from collections.abc import Iterator

from sitemapaudit.items import Finding, Permission, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import RFC_9309


class RobotsNotText(RowRule[Robots]):
    """robots.txt is not plain text

    When: robots.txt returns 2xx, and its body is an HTML document: warning. Its media type is
    missing or is not text/plain: notice.

    Why: robots.txt must be text/plain in UTF-8. An HTML page has no rules. It is usually an error
    page, or the page that an application returns for every URL.

    Fix: Serve the file as text/plain, or return 404.
    """

    severity = Severity.WARNING
    message = "{problem}"
    references = (RFC_9309,)

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.audited or row.permission is not Permission.RULES:
            return
        if row.is_html:
            yield self.finding(row, problem="is an HTML page", content_type=row.content_type)
        elif row.content_type != "text/plain":
            found = f"the media type {row.content_type}" if row.content_type else "no media type"
            problem = f"has {found}; it must be text/plain"
            yield self.finding(row, Severity.NOTICE, problem=problem, content_type=row.content_type)
