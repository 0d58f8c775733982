from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, XML


class SitemapLeadingContent(RowRule[Sitemap]):
    """Sitemap has content before its XML

    When: anything but a byte order mark precedes `<?xml`. In a file without an XML declaration:
    anything but whitespace, comments and the like precedes the root element, within the first 4,096
    characters. Examples are the warning of a script, and the notice of a browser from which the
    file was copied. The file is read from the start of its XML.

    Why: The file is not well-formed. Engines report leading whitespace, or cannot parse it.

    Fix: Remove it. Usually a script prints a blank line or a warning before the sitemap.
    """

    severity = Severity.ERROR
    message = "has {characters} before its XML"
    references = (
        SEARCH_CONSOLE,
        XML,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.leading_chars:
            characters = f"{row.leading_chars:,} character{'s' if row.leading_chars > 1 else ''}"
            yield self.finding(row, characters=characters, leading_chars=row.leading_chars)
