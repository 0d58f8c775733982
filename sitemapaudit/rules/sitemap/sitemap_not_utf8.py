from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL


class SitemapNotUtf8(RowRule[Sitemap]):
    """The sitemap is not UTF-8

    When: the bytes are not valid UTF-8, or a byte order mark, the XML declaration or the
    charset of Content-Type names another encoding. A byte order mark of UTF-8 passes, and so
    does us-ascii over bytes that are. The file is read all the same.

    Why: The protocol demands UTF-8. In another encoding, addresses outside ASCII come out
    wrong, or the file cannot be parsed.

    Fix: Save it as UTF-8, and name that, or nothing.
    """

    severity = Severity.ERROR
    message = "is not UTF-8: {problem}"
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.not_utf8 is not None:
            yield self.finding(row, problem=row.not_utf8, encoding=row.encoding)
