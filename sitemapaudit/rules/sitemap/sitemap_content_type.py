from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class SitemapContentType(RowRule[Sitemap]):
    """The media type of the sitemap is wrong

    When: an XML sitemap or a feed has a media type other than application/xml, text/xml or one
    that ends in +xml, or a text sitemap one other than text/plain; no media type at all is none
    of these. A file that is compressed by gzip, or is named .gz, may also have
    application/gzip, application/x-gzip or application/octet-stream.

    Why: Engines look at the bytes; stricter readers, proxies and browsers go by the header.

    Fix: Correct the header.
    """

    severity = Severity.NOTICE
    message = "has the type {content_type}, and ought to have {expected}"
    references = (PRACTICE,)

    _xml = frozenset({Kind.URLSET, Kind.SITEMAPINDEX, Kind.RSS, Kind.ATOM})
    _packed = frozenset({"application/gzip", "application/x-gzip", "application/octet-stream"})

    def check(self, row: Sitemap) -> Iterator[Finding]:
        is_xml = row.kind in self._xml
        if not is_xml and row.kind is not Kind.TEXT:
            return
        said = row.content_type or ""
        packed = row.gzip or urls.path(row.final_url or row.sitemap).lower().endswith(".gz")
        if packed and said in self._packed:
            return
        if not (self._means_xml(said) if is_xml else said == "text/plain"):
            expected = "application/xml" if is_xml else "text/plain"
            yield self.finding(row, content_type=said or "none", expected=expected)

    def _means_xml(self, media_type: str) -> bool:
        return media_type in ("application/xml", "text/xml") or media_type.endswith("+xml")
