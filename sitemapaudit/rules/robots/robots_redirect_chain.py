from collections.abc import Iterator

from sitemapaudit.http.redirects import ROBOTS_MAX_HOPS
from sitemapaudit.items import Error, Finding, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import RFC_9309


class RobotsRedirectChain(RowRule[Robots]):
    """robots.txt redirects too many times

    When: robots.txt redirects more than five times in a row, or in a loop. Further redirects are
    not followed, and everything is allowed, as if there were no robots.txt.

    Why: Crawlers should follow at least five redirects. After that they may treat robots.txt as
    unavailable, and its rules and Sitemap lines are lost.

    Fix: Serve robots.txt without a redirect.
    """

    severity = Severity.WARNING
    message = "{problem}; at most {limit} redirects are followed"
    references = (RFC_9309,)

    def check(self, row: Robots) -> Iterator[Finding]:
        loop = row.error is Error.REDIRECT_LOOP
        if row.audited and (loop or row.hops > ROBOTS_MAX_HOPS):
            problem = "redirects in a loop" if loop else f"redirects at least {row.hops} times"
            yield self.finding(row, problem=problem, hops=row.hops, limit=ROBOTS_MAX_HOPS)
