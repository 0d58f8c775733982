from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class SitemapContentType(RowRule[Sitemap]):
    """Sitemap has the wrong Content-Type

    When: the media type of an XML sitemap or a feed is not application/xml, text/xml or a type
    ending in +xml, or that of a text sitemap is not text/plain. A missing media type is reported
    too. A file that is compressed with gzip, or is named .gz, may also have application/gzip,
    application/x-gzip or application/octet-stream.

    Why: Engines look at the bytes. Stricter readers, proxies and browsers rely on the header.

    Fix: Correct the header.
    """

    severity = Severity.NOTICE
    message = "Content-Type is {content_type} instead of {expected}"
    references = (PRACTICE,)

    _xml_kinds = frozenset({Kind.URLSET, Kind.SITEMAPINDEX, Kind.RSS, Kind.ATOM})
    _gzip_types = frozenset({"application/gzip", "application/x-gzip", "application/octet-stream"})

    def check(self, row: Sitemap) -> Iterator[Finding]:
        is_xml = row.kind in self._xml_kinds
        if not is_xml and row.kind is not Kind.TEXT:
            return
        content_type = row.content_type or ""
        path = urls.path(row.final_url or row.sitemap).lower()
        is_gzip = row.gzip_layers > 0 or path.endswith(".gz")
        if is_gzip and content_type in self._gzip_types:
            return
        if not (self._is_xml_type(content_type) if is_xml else content_type == "text/plain"):
            expected = "application/xml" if is_xml else "text/plain"
            yield self.finding(row, content_type=content_type or "none", expected=expected)

    def _is_xml_type(self, media_type: str) -> bool:
        return media_type in ("application/xml", "text/xml") or media_type.endswith("+xml")
