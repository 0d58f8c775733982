from __future__ import annotations

import re
from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.locs import problem_of
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PROTOCOL


class SitemapTextLineInvalid(RowRule[Entry]):
    """A line of a text sitemap is not one address

    When: a line that is not blank, trimmed, is not exactly one full, valid http(s) address: a
    heading, a comment, a relative address, or several addresses with commas or white space
    between them.

    Why: A text sitemap holds addresses and nothing else, one a line; engines drop the line, or
    the file.

    Fix: Write one address a line.
    """

    severity = Severity.ERROR
    message = "line {line}: {loc!r} {problem}"
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
        problem = "holds several addresses" if several else problem_of(loc, row.url)
        if problem:
            yield self.finding(row, line=row.line, loc=loc[:500], problem=problem)
