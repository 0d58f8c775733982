from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE


class SitemapXmlMalformed(RowRule[Sitemap]):
    """The XML is not well-formed

    When: a strict parse fails. The first fault is told with its line and column; entries
    behind it that could be saved are marked as recovered. A file that breaks off because
    its compression is broken, or because it is too large, is told by those rules alone.

    Why: XML readers stop at the first fault: engines lose every entry behind it. A bare
    ampersand is the most frequent cause.

    Fix: Write & as &amp;, and < as &lt;, in every value; best by a library that
    writes XML.
    """

    severity = Severity.ERROR
    message = "breaks at {place}: {fault}"
    references = (
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.fault is not None and row.gzip_fault is None and not row.cut:
            column = f", column {row.fault_column}" if row.fault_column else ""
            yield self.finding(
                row,
                place=f"line {row.fault_line}{column}",
                line=row.fault_line,
                column=row.fault_column,
                fault=row.fault,
                recovered=row.recovered,
            )
