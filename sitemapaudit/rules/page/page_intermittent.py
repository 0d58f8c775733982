from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Page, RecheckResult, Severity, Verdict
from sitemapaudit.rules.concerns import RECHECK
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, PRACTICE


class PageIntermittent(RowRule[Page]):
    """Listed page fails intermittently

    When: the first response of the URL itself was a server error, a connection error, a timeout or
    a soft 404, and the response at the end of the run was another one: a page, a redirect, or
    another failure. A failure of the same kind at the end is not intermittent. The verdict is that
    of the last response.

    Why: Search engines see the failures, too. They fetch a host that fails more slowly, and drop a
    page that keeps failing.

    Fix: Look for the reason in the logs of the server at the time of the first request: a limit of
    connections, a restart, or a slow query.
    """

    severity = Severity.WARNING
    message = "{first} at first, and {last} at the end of the audit"
    concern = RECHECK
    references = (
        GOOGLE_HTTP,
        PRACTICE,
    )

    def check(self, row: Page) -> Iterator[Finding]:
        if row.recheck in (RecheckResult.INTERMITTENT, RecheckResult.RECOVERED):
            first = _describe(row.first_verdict, row.first_status, row.first_error)
            last = _describe(row.verdict, row.status, row.error)
            yield self.finding(row, first=first, last=last, recheck=row.recheck)


def _describe(verdict: Verdict | None, status: int | None, error: Error | None) -> str:
    if error is not None:
        return f"gave no usable response ({error})"
    note = ", but looked like an error page" if verdict is Verdict.SOFT_404 else ""
    return f"returned {status}{note}"
