from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class RobotsSitemapDuplicate(RowRule[Robots]):
    """robots.txt declares a sitemap more than once

    When: at least two Sitemap lines name the same normalised address; each repeat is one
    finding.

    Why: It says nothing new, and hints at two programs that write the file.

    Fix: Remove the repeat.
    """

    severity = Severity.NOTICE
    message = "repeats in line {line} the sitemap of line {first}, {sitemap}"
    references = (PRACTICE,)

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.judged:
            return
        lines: dict[str, int] = {}
        for declared in row.sitemaps:
            if declared.url is None:
                continue
            first = lines.setdefault(declared.url, declared.line)
            if first != declared.line:
                yield self.finding(row, line=declared.line, first=first, sitemap=declared.url)
