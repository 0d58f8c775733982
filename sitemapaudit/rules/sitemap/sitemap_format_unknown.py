from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, SEARCH_CONSOLE
from sitemapaudit.sitemaps.sniffing import ARCHIVES


class SitemapFormatUnknown(RowRule[Sitemap]):
    """The file is no sitemap that engines know

    When: the root is none of urlset, sitemapindex, rss and feed, the body is no list of
    addresses, and the file is no archive, which is sitemap-archive-unsupported. RSS before
    2.0, RSS 1.0 and Atom 0.3: notice.

    Why: Engines read XML sitemaps, text files, RSS 2.0 and Atom 1.0, and nothing else.

    Fix: Use one of these formats.
    """

    severity = Severity.ERROR
    message = "{problem}"
    references = (
        SEARCH_CONSOLE,
        GOOGLE_BUILD,
    )

    _current = {Kind.RSS: "2.0", Kind.ATOM: "1.0"}

    def check(self, row: Sitemap) -> Iterator[Finding]:
        current = self._current.get(row.kind)
        if row.kind is Kind.UNKNOWN and self._was_read(row):
            yield self.finding(row, problem="has no format that engines know", form=row.form)
        elif current is not None and row.version != current:
            problem = (
                f"is {row.kind} {row.version or 'without a version'}, and engines name {current}"
            )
            yield self.finding(row, Severity.NOTICE, problem=problem, version=row.version)

    def _was_read(self, row: Sitemap) -> bool:
        elsewhere = row.form in (None, "empty", *ARCHIVES)
        return not elsewhere and row.fault is None and row.gzip_fault is None
