from collections.abc import Iterator

from sitemapaudit.caps import MAX_TEXT
from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.locs import find_url_error, is_absolute
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, RFC_3986, SEARCH_CONSOLE
from sitemapaudit.urls import strip_whitespace


class LocInvalid(RowRule[Entry]):
    """loc is not a valid URL

    When: the loc cannot be parsed, its scheme is not http or https, its host or port is invalid,
    or it contains a space, a control character, invalid percent-encoding, user information, or a
    character that could not be read. sitemap-text-line-invalid checks the lines of text sitemaps,
    and loc-too-long reports a loc with more than 8,192 characters, which is not checked.

    Why: Search engines drop the entry, or request a different URL than intended.

    Fix: Correct the URL.
    """

    severity = Severity.ERROR
    message = "loc {loc!r} is not a valid URL: {problem}"
    cause = "have a loc that is not a valid URL"
    concern = is_unusual
    about_sitemaps = False
    references = (
        RFC_3986,
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        loc = strip_whitespace(row.loc or "")
        if not loc or row.kind is Kind.TEXT or len(loc) > MAX_TEXT or not is_absolute(loc):
            return
        problem = find_url_error(loc, row.url)
        if problem is not None:
            yield self.finding(row, loc=row.loc, problem=problem)
