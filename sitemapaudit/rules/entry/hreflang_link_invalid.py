from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Alternate, Entry, Finding, Severity
from sitemapaudit.rules.locs import problem_of
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangLinkInvalid(RowRule[Entry]):
    """An xhtml:link of an entry lacks something, or has no valid address

    When: an xhtml:link has no rel="alternate" (in any case), no hreflang or no href, or one of
    them is empty; or its href is no full, valid http(s) address. With a media attribute it
    names the page for mobile devices, and needs no hreflang.

    Why: Engines pass over the link, and the other versions lose their return link.

    Fix: Write rel="alternate", hreflang and the full address.
    """

    severity = Severity.ERROR
    message = "xhtml:link {ordinal}: {problem}"
    references = (GOOGLE_HREFLANG,)

    def check(self, row: Entry) -> Iterator[Finding]:
        for ordinal, link in enumerate(row.alternates, start=1):
            problem = self._problem(link)
            if problem:
                yield self.finding(
                    row, ordinal=ordinal, problem=problem, hreflang=link.hreflang, href=link.href
                )

    def _problem(self, link: Alternate) -> str | None:
        if "alternate" not in (link.rel or "").lower().split():
            return 'it has no rel="alternate"'
        if not (link.hreflang or "").strip() and not link.media:
            return "it has no hreflang"
        href = (link.href or "").strip()
        if not href:
            return "it has no href"
        problem = problem_of(href, link.url)
        return f"its href {href!r} {problem}" if problem else None
