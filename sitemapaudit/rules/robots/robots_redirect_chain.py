from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Error, Finding, Robots, Severity
from sitemapaudit.robots import MAX_HOPS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import RFC_9309


class RobotsRedirectChain(RowRule[Robots]):
    """robots.txt redirects too often

    When: more than five redirects in a row, or a loop of them, stand before robots.txt. No
    more are followed, and all is allowed, as if there were none.

    Why: Crawlers have to follow five, and may then take robots.txt for unavailable: its rules
    and its Sitemap lines are lost.

    Fix: Serve it at its own address.
    """

    severity = Severity.WARNING
    message = "{problem}, and {limit} redirects are followed"
    references = (RFC_9309,)

    def check(self, row: Robots) -> Iterator[Finding]:
        loop = row.error is Error.REDIRECT_LOOP
        if row.judged and (loop or row.hops > MAX_HOPS):
            problem = "redirects in a circle" if loop else f"redirects {row.hops} times or more"
            yield self.finding(row, problem=problem, hops=row.hops, limit=MAX_HOPS)
