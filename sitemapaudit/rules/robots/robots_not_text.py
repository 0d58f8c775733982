from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Permission, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import RFC_9309


class RobotsNotText(RowRule[Robots]):
    """robots.txt is no plain text

    When: robots.txt answers 2xx, and its body is an HTML document: warning; or its media type
    is not text/plain, or is missing: notice.

    Why: It has to be text/plain in UTF-8. A web page in its place, mostly that of an error or
    of an application that answers every address, has no rules.

    Fix: Serve the plain file as text/plain, or answer 404.
    """

    severity = Severity.WARNING
    message = "{problem}"
    references = (RFC_9309,)

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.judged or row.permission is not Permission.RULES:
            return
        if row.html:
            yield self.finding(row, problem="is a web page", content_type=row.content_type)
        elif row.content_type != "text/plain":
            said = f"has the type {row.content_type}" if row.content_type else "has no type"
            problem = f"{said}, and ought to be text/plain"
            yield self.finding(row, Severity.NOTICE, problem=problem, content_type=row.content_type)
