from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Kind, Severity
from sitemapaudit.rules.concerns import has_unusual_date
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import BING, PROTOCOL, SEARCH_CONSOLE, W3C_DATETIME, XSD
from sitemapaudit.sitemaps.w3c_dates import EARLIEST, DateFormat, w3c_datetime


class LastmodInvalid(RowRule[Entry]):
    """lastmod is not a valid date

    When: the lastmod is empty, or has none of the formats YYYY, YYYY-MM, YYYY-MM-DD and
    YYYY-MM-DDThh:mmTZD, nor the last one with seconds and fractions; or it is a day or a time that
    does not exist: error. A date before 1970-01-01 UTC is a valid W3C date, but Search Console
    reports it as invalid: warning. YYYY, YYYY-MM and a time without seconds are valid W3C dates,
    but the schema rejects them: notice. lastmod-no-timezone reports a time without a time zone.

    Why: Search engines report an invalid date and ignore it. lastmod is the only hint about a page
    that Google and Bing use: they ignore changefreq and priority.

    Fix: Write the date when the page itself last changed, such as 2026-11-21 or
    2026-11-21T09:30:00+00:00. If that is not known, omit the element.
    """

    severity = Severity.ERROR
    message = "lastmod {lastmod!r} {problem}"
    cause = "have a lastmod that {problem}"
    concern = has_unusual_date
    references = (W3C_DATETIME, PROTOCOL, SEARCH_CONSOLE, XSD, BING)

    _rejected_by_schema = frozenset({DateFormat.YEAR, DateFormat.MONTH, DateFormat.MINUTES})

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.kind not in (Kind.URLSET, Kind.SITEMAPINDEX) or row.lastmod is None:
            return
        if found := self._problem(row.lastmod):
            severity, problem = found
            yield self.finding(row, severity, lastmod=row.lastmod, problem=problem)

    def _problem(self, lastmod: str) -> tuple[Severity, str] | None:
        """Return the problem of a lastmod with its severity, if it has one."""
        moment = w3c_datetime(lastmod)
        if moment is None:
            return Severity.ERROR, "is not a valid W3C date" if lastmod.strip() else "is empty"
        if moment.format is DateFormat.NO_ZONE:
            return None
        if moment.at < EARLIEST:
            return Severity.WARNING, "is before 1970-01-01 UTC"
        if moment.format in self._rejected_by_schema:
            return Severity.NOTICE, f"has the format {moment.format}, which the schema rejects"
        return None
