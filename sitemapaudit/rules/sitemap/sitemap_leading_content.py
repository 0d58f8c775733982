from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, XML


class SitemapLeadingContent(RowRule[Sitemap]):
    """Sitemap has content before the XML declaration

    When: anything but a byte order mark precedes `<?xml`, or the first element of a file without an
    XML declaration: blank lines, whitespace, or the output of a program. The file is read from
    there on.

    Why: The file is not well-formed. Engines report leading whitespace, or cannot parse it.

    Fix: Remove it. Usually a script prints a blank line before the sitemap.
    """

    severity = Severity.ERROR
    message = "has {characters} before its XML declaration"
    references = (
        SEARCH_CONSOLE,
        XML,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.leading_chars:
            characters = f"{row.leading_chars:,} character{'s' if row.leading_chars > 1 else ''}"
            yield self.finding(row, characters=characters, leading_chars=row.leading_chars)
