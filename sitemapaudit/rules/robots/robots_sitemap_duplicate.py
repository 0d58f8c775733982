from collections.abc import Iterator

from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class RobotsSitemapDuplicate(RowRule[Robots]):
    """robots.txt declares a sitemap more than once

    When: at least two Sitemap lines have the same normalized URL. Each repeated line is one
    finding.

    Why: A repeated line adds nothing. It suggests that two programs write the file.

    Fix: Remove the repeated line.
    """

    severity = Severity.NOTICE
    message = "line {line} repeats the sitemap of line {first_line}: {sitemap}"
    about_sitemaps = True
    references = (PRACTICE,)

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.audited:
            return
        first_lines: dict[str, int] = {}
        for declared in row.sitemaps:
            if declared.url is None:
                continue
            first_line = first_lines.setdefault(declared.url, declared.line)
            if first_line != declared.line:
                yield self.finding(
                    row, line=declared.line, first_line=first_line, sitemap=declared.url
                )
