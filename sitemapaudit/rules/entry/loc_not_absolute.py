from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.locs import is_absolute
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL, SEARCH_CONSOLE
from sitemapaudit.urls import strip_whitespace


class LocNotAbsolute(RowRule[Entry]):
    """loc is not an absolute URL

    When: the loc has no scheme or no host: it is relative, or begins with `//`.
    sitemap-text-line-invalid checks the lines of text sitemaps.

    Why: Search engines do not resolve a relative loc, and drop the entry.

    Fix: Write the absolute URL, with protocol and host.
    """

    severity = Severity.ERROR
    message = "loc {loc!r} is not an absolute URL"
    cause = "have a loc that is not absolute"
    concern = is_unusual
    about_sitemaps = False
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
        SEARCH_CONSOLE,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        loc = strip_whitespace(row.loc or "")
        if loc and row.kind is not Kind.TEXT and not is_absolute(loc):
            yield self.finding(row, loc=row.loc)
