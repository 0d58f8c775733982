from collections.abc import Iterator

from sitemapaudit.items import Alternate, Entry, Finding, Severity
from sitemapaudit.rules.concerns import ALTERNATES
from sitemapaudit.rules.locs import describe_url_problem
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangLinkInvalid(RowRule[Entry]):
    """xhtml:link is incomplete or has an invalid URL

    When: an xhtml:link has no rel="alternate" (in any case), no hreflang or no href, or one of them
    is empty; or its href is not an absolute, valid http(s) URL. A link with a media attribute
    points to the mobile version of the page, and needs no hreflang.

    Why: Search engines ignore the link, and the other language versions lose their return link.

    Fix: Write rel="alternate", hreflang and the absolute URL.
    """

    severity = Severity.ERROR
    message = "xhtml:link {ordinal} {problem}"
    cause = "have an invalid xhtml:link"
    concern = ALTERNATES
    references = (GOOGLE_HREFLANG,)

    def check(self, row: Entry) -> Iterator[Finding]:
        for ordinal, link in enumerate(row.alternates, start=1):
            problem = self._find_problem(link)
            if problem:
                yield self.finding(
                    row, ordinal=ordinal, problem=problem, hreflang=link.hreflang, href=link.href
                )

    def _find_problem(self, link: Alternate) -> str | None:
        if "alternate" not in (link.rel or "").lower().split():
            return 'has no rel="alternate"'
        if not (link.hreflang or "").strip() and not link.media:
            return "has no hreflang"
        href = (link.href or "").strip()
        if not href:
            return "has no href"
        problem = describe_url_problem(href, link.url)
        return f"has the href {href!r}, which {problem}" if problem else None
