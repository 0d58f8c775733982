from collections.abc import Iterator
from typing import Final

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLEBOT


class PageHtmlTooLarge(RowRule[Page]):
    """Listed page exceeds the size limit of Googlebot

    When: the URL itself returns 2xx, and its body exceeds the limit of Googlebot for its type: more
    than 2,097,152 bytes (2 MB) of HTML or other text, or 67,108,864 bytes (64 MB) of a PDF. Bytes
    of HTML are counted after decoding. A file that is not HTML and not small is not downloaded: the
    size that its headers announce counts. HTML is recognized by its media type or, without one, by
    its first bytes.

    Why: Googlebot stops reading there. It may miss text, links and directives after that.

    Fix: Reduce the size of the page or file. In HTML, move the tags of the head up.
    """

    severity = Severity.NOTICE
    message = "has {bytes} bytes of {type}{note}; Googlebot reads the first {limit}"
    references = (GOOGLEBOT,)

    _limits: Final = {"HTML": 2_097_152, "text": 2_097_152, "PDF": 67_108_864}

    def check(self, row: Page) -> Iterator[Finding]:
        kind = _type_of(row)
        if kind is None or not row.was_read or not row.bytes:
            return
        limit = self._limits[kind]
        if row.bytes > limit:
            note = " or more (reading stopped)" if row.truncated else ""
            yield self.finding(row, bytes=row.bytes, type=kind, note=note, limit=limit)


def _type_of(row: Page) -> str | None:
    media_type = row.content_type or ""
    if row.is_html:
        return "HTML"
    if media_type == "application/pdf":
        return "PDF"
    is_text = media_type.startswith("text/") or media_type.endswith(("/xml", "+xml"))
    return "text" if is_text and not media_type.startswith("image/") else None
