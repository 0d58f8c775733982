from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, XML


class SitemapLeadingContent(RowRule[Sitemap]):
    """Something stands before the XML declaration

    When: there is anything before `<?xml`, or before the first element of a file without that,
    but a byte order mark: blank lines, white space, or the output of a program. The file is
    read from there on.

    Why: It is not well-formed: engines report leading white space, or cannot parse the file.

    Fix: Remove it; mostly a script prints a blank line before the sitemap.
    """

    severity = Severity.ERROR
    message = "has {characters} before its XML declaration"
    references = (
        SEARCH_CONSOLE,
        XML,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.leading:
            characters = f"{row.leading:,} character{'s' if row.leading > 1 else ''}"
            yield self.finding(row, characters=characters, leading=row.leading)
