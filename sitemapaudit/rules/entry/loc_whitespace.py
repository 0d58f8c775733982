from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE
from sitemapaudit.urls import strip_whitespace


class LocWhitespace(RowRule[Entry]):
    """loc has leading or trailing whitespace

    When: a loc in XML begins or ends with ASCII white space or a line break. Every other rule
    checks the trimmed loc. loc-invalid reports whitespace inside a loc.

    Why: Search engines trim the loc. Stricter parsers request a URL that does not exist.

    Fix: Write the URL directly between the tags.
    """

    severity = Severity.NOTICE
    message = "loc has {where} whitespace"
    cause = "have a loc with {where} whitespace"
    concern = is_unusual
    references = (PRACTICE,)

    def check(self, row: Entry) -> Iterator[Finding]:
        loc = row.loc or ""
        trimmed = strip_whitespace(loc)
        if row.kind is Kind.TEXT or not trimmed or loc == trimmed:
            return
        ends = {"leading": loc[0] != trimmed[0], "trailing": loc[-1] != trimmed[-1]}
        where = " and ".join(end for end, has_whitespace in ends.items() if has_whitespace)
        yield self.finding(row, where=where, loc=loc)
