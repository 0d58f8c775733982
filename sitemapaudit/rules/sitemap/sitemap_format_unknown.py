from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, SEARCH_CONSOLE
from sitemapaudit.sitemaps.format_detection import ARCHIVES


class SitemapFormatUnknown(RowRule[Sitemap]):
    """Sitemap has an unsupported format

    When: the root is not urlset, sitemapindex, rss or feed, the body is not a list of URLs, and the
    file is not an archive (sitemap-archive-unsupported reports those). RSS before 2.0, RSS 1.0 and
    Atom 0.3: notice.

    Why: Engines read only XML sitemaps, text files, RSS 2.0 and Atom 1.0.

    Fix: Use one of these formats.
    """

    severity = Severity.ERROR
    message = "{problem}"
    references = (
        SEARCH_CONSOLE,
        GOOGLE_BUILD,
    )

    _supported = {Kind.RSS: ("RSS", "2.0"), Kind.ATOM: ("Atom", "1.0")}

    def check(self, row: Sitemap) -> Iterator[Finding]:
        name, supported = self._supported.get(row.kind, (None, None))
        if row.kind is Kind.UNKNOWN and self._was_read(row):
            yield self.finding(
                row, problem="has no supported sitemap format", format=row.detected_format
            )
        elif supported is not None and row.version != supported:
            version = row.version or "without a version"
            problem = f"is {name} {version}; engines support {name} {supported}"
            yield self.finding(row, Severity.NOTICE, problem=problem, version=row.version)

    def _was_read(self, row: Sitemap) -> bool:
        other_rule = row.detected_format in (None, "empty", *ARCHIVES)
        return not other_rule and row.xml_error is None and row.gzip_error is None
