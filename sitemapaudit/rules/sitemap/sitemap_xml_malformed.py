from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE


class SitemapXmlMalformed(RowRule[Sitemap]):
    """Sitemap is not valid XML

    When: a strict parser fails. The first error is reported with its line and column. Entries after
    it that could be recovered are marked as recovered. A file that ends early because its
    compression is broken, or because it is too large, is reported by those rules only.

    Why: XML readers stop at the first error: engines lose every entry after it. A bare ampersand is
    the most frequent cause.

    Fix: Write & as &amp; and < as &lt; in every value, preferably with a library that writes XML.
    """

    severity = Severity.ERROR
    message = "XML error at {place}: {error}"
    references = (
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.xml_error is not None and row.gzip_error is None and not row.truncated:
            column = f", column {row.xml_error_column}" if row.xml_error_column else ""
            yield self.finding(
                row,
                place=f"line {row.xml_error_line}{column}",
                line=row.xml_error_line,
                column=row.xml_error_column,
                error=row.xml_error,
                recovered_entries=row.recovered_entries,
            )
