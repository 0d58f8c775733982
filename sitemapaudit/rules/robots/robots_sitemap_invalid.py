from __future__ import annotations

import re
from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, PROTOCOL


class RobotsSitemapInvalid(RowRule[Robots]):
    """A Sitemap line of robots.txt names no full address

    When: the value of a Sitemap line is not an absolute http(s) address with a host: it is
    relative, empty or protocol-relative, or cannot be parsed.

    Why: Engines demand the full address, with protocol and host, and may pass over the
    line.

    Fix: Write the full address, as in "Sitemap: https://www.example.com/sitemap.xml".
    """

    severity = Severity.ERROR
    message = "declares {value!r} in line {line}, which is no full address"
    references = (
        PROTOCOL,
        GOOGLE_ROBOTS,
    )

    _full = re.compile(r"https?://[^/?#]", re.IGNORECASE)

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.judged:
            return
        for declared in row.sitemaps:
            if not self._full.match(declared.value) or urls.normalise(declared.value) is None:
                yield self.finding(row, line=declared.line, value=declared.value)
