import re
from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.locs import describe_url_problem
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL


class SitemapTextLineInvalid(RowRule[Entry]):
    """Line of a text sitemap is not a valid URL

    When: a line that is not blank is, after trimming, not exactly one absolute, valid http(s) URL.
    Examples: a heading, a comment, a relative URL, or several URLs with commas or whitespace
    between them.

    Why: A text sitemap contains only URLs, one per line. Search engines drop the line, or the
    whole file.

    Fix: Write one URL per line.
    """

    severity = Severity.ERROR
    message = "line {line}: {loc!r} {problem}"
    cause = "are not valid URLs"
    concern = is_unusual
    references = (
        PROTOCOL,
        GOOGLE_BUILD,
    )

    _several = re.compile(r"https?://.*?[\s,;|]https?://", re.IGNORECASE)

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.kind is not Kind.TEXT:
            return
        loc = (row.loc or "").strip()
        several = self._several.match(loc)
        problem = "contains several URLs" if several else describe_url_problem(loc, row.url)
        if problem:
            yield self.finding(row, line=row.line, loc=loc[:500], problem=problem)
