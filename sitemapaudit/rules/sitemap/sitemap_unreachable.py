from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, YANDEX


class SitemapUnreachable(RowRule[Sitemap]):
    """Sitemap could not be fetched

    When: there is no HTTP response after retries: DNS, the connection or TLS fails, the request
    times out, or the response breaks off or is not HTTP. This includes a response that cannot be
    decoded, and the same failures of the robots.txt of the host, without which nothing may be
    fetched.

    Why: An engine that cannot fetch the file learns nothing from it.

    Fix: Fix the host, or remove the URL.
    """

    severity = Severity.ERROR
    message = "could not be fetched ({error})"
    references = (
        SEARCH_CONSOLE,
        YANDEX,
    )

    _errors = frozenset(
        {
            Error.DNS, Error.REFUSED, Error.RESET, Error.TIMEOUT, Error.TLS,
            Error.TRUNCATED, Error.INVALID_HTTP, Error.ENCODING,
            Error.PRIVATE_ADDRESS,
        }
    )  # fmt: skip

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.error in self._errors:
            yield self.finding(row, error=row.error, detail=row.error_detail, retries=row.retries)
