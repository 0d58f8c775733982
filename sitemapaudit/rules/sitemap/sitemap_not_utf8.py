from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL


class SitemapNotUtf8(RowRule[Sitemap]):
    """Sitemap is not UTF-8

    When: the bytes are not valid UTF-8, or a byte order mark, the XML declaration or the charset of
    Content-Type names another encoding. A byte order mark of UTF-8 is allowed, and so is us-ascii
    if the bytes are ASCII. The file is read anyway.

    Why: The protocol requires UTF-8. In another encoding, URLs with non-ASCII characters come out
    wrong, or the file cannot be parsed.

    Fix: Save the file as UTF-8, and declare UTF-8 or nothing.
    """

    severity = Severity.ERROR
    message = "is not UTF-8: {problem}"
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.encoding_error is not None:
            yield self.finding(row, problem=row.encoding_error, encoding=row.encoding)
