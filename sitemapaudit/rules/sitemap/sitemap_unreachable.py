from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, YANDEX


class SitemapUnreachable(RowRule[Sitemap]):
    """The sitemap gives no answer

    When: there is no HTTP answer after retries: DNS, connection, TLS, time-out, or an
    answer that breaks off or is not HTTP. The same of robots.txt of its host, without which
    nothing may be asked for, counts as well, and so does one that cannot be decoded.

    Why: An engine that cannot fetch the file learns nothing from it.

    Fix: Repair the host, or withdraw the address.
    """

    severity = Severity.ERROR
    message = "gives no answer ({error})"
    references = (
        SEARCH_CONSOLE,
        YANDEX,
    )

    _network = frozenset(
        {
            Error.DNS, Error.REFUSED, Error.RESET, Error.TIMEOUT, Error.TLS,
            Error.TRUNCATED, Error.INVALID_HTTP, Error.ENCODING,
            Error.PRIVATE_ADDRESS,
        }
    )  # fmt: skip

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.error in self._network:
            yield self.finding(row, error=row.error, detail=row.error_detail, retries=row.retries)
