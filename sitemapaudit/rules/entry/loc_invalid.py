from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.locs import fault_of, is_absolute
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, RFC_3986, SEARCH_CONSOLE
from sitemapaudit.urls import trimmed


class LocInvalid(RowRule[Entry]):
    """A loc is no valid URL

    When: the loc cannot be parsed, its scheme is not http or https, its host or port is
    invalid, or it holds a space or a control character, a broken percent triplet, user
    information, or a character that could not be read. A line of a text sitemap is
    sitemap-text-line-invalid.

    Why: Engines drop the entry, or ask for another address than was meant.

    Fix: Correct the address.
    """

    severity = Severity.ERROR
    message = "{loc!r} is no valid URL: {problem}"
    references = (
        RFC_3986,
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        loc = trimmed(row.loc or "")
        if not loc or row.kind is Kind.TEXT or not is_absolute(loc):
            return
        problem = fault_of(loc, usable=row.url is not None)
        if problem is not None:
            yield self.finding(row, loc=row.loc, problem=problem)
