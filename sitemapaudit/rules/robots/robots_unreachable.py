from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Permission, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, RFC_9309


class RobotsUnreachable(RowRule[Robots]):
    """robots.txt is unreachable

    When: robots.txt of an audited site, or of the host of a declared sitemap, returns 500 to 599
    or 429, or the request fails after retries (DNS, connection, TLS, timeout), or the
    Content-Encoding of the response cannot be decoded. 401 and 403 do not count, nor does a host
    with a private address: it is not contacted, and its sitemap is reported. Nor does a request
    that a component of the project ignored.

    Why: Crawlers must then treat everything as disallowed. Google stops crawling for twelve hours,
    and then uses its last copy for up to thirty days.

    Fix: Make robots.txt return 200, or 404 if there is none.
    """

    severity = Severity.ERROR
    message = "{problem}; crawlers then treat everything as disallowed"
    references = (
        RFC_9309,
        GOOGLE_ROBOTS,
    )

    _unsent = frozenset(
        {Error.INTERNAL, Error.PRIVATE_ADDRESS, Error.ADDRESS_REFUSED, Error.IGNORED}
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.audited:
            return
        if row.permission is Permission.NONE:
            yield self.finding(row, problem=f"returns {row.status}", status=row.status)
        elif row.permission is Permission.UNREACHABLE and row.error not in self._unsent:
            problem = f"could not be fetched ({row.error})"
            if row.error is Error.ENCODING:
                problem = f"could not be decoded ({row.error_detail})"
            yield self.finding(row, problem=problem, error=row.error, detail=row.error_detail)
