from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE, W3C_DATETIME, XSD
from sitemapaudit.sitemaps.dates import Form, w3c_datetime


class LastmodInvalid(RowRule[Entry]):
    """A lastmod is no valid date

    When: the lastmod has none of the forms YYYY, YYYY-MM, YYYY-MM-DD, YYYY-MM-DDThh:mmTZD,
    and the same with seconds and fractions, or names a day that does not exist. The forms
    YYYY, YYYY-MM and a time without seconds are valid, but the schema refuses them: notice.
    A time without a zone is another rule's.

    Why: Engines report an invalid date, and pass over the value; lastmod is the one hint
    that Google and Bing use.

    Fix: Write 2026-11-21, or 2026-11-21T09:30:00+00:00.
    """

    severity = Severity.ERROR
    message = "lastmod {lastmod!r} {problem}"
    references = (
        W3C_DATETIME,
        PROTOCOL,
        SEARCH_CONSOLE,
        XSD,
    )

    _refused_by_schema = frozenset({Form.YEAR, Form.MONTH, Form.MINUTES})

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.kind not in (Kind.URLSET, Kind.SITEMAPINDEX) or not (row.lastmod or "").strip():
            return
        moment = w3c_datetime(row.lastmod or "")
        if moment is None:
            yield self.finding(row, lastmod=row.lastmod, problem="is no W3C date")
        elif moment.form in self._refused_by_schema:
            problem = f"has the form {moment.form}, which the schema refuses"
            yield self.finding(row, Severity.NOTICE, lastmod=row.lastmod, problem=problem)
