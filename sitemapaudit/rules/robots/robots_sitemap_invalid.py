from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.rules.locs import problem_of
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, PROTOCOL


class RobotsSitemapInvalid(RowRule[Robots]):
    """A Sitemap line of robots.txt names no full address

    When: the value of a Sitemap line is no absolute, valid http(s) address: it is relative,
    empty or protocol-relative, or what loc-invalid would call a fault of a loc, such as white
    space within.

    Why: Engines demand the full address, with protocol and host, and may pass over the
    line.

    Fix: Write the full address, as in "Sitemap: https://www.example.com/sitemap.xml".
    """

    severity = Severity.ERROR
    message = "declares {value!r} in line {line}, which {problem}"
    references = (
        PROTOCOL,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.judged:
            return
        for declared in row.sitemaps:
            problem = problem_of(declared.value, urls.normalise(declared.value))
            if problem:
                yield self.finding(row, line=declared.line, value=declared.value, problem=problem)
