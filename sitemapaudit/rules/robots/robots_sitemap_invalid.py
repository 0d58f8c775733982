from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.rules.locs import describe_url_problem
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, PROTOCOL


class RobotsSitemapInvalid(RowRule[Robots]):
    """Sitemap line of robots.txt is not a valid absolute URL

    When: the value of a Sitemap line is not an absolute, valid http(s) URL. It is relative, empty
    or protocol-relative, or loc-invalid would report it in a sitemap, for example because of
    whitespace inside.

    Why: Search engines require an absolute URL, with protocol and host, and may ignore the line.

    Fix: Write the absolute URL, as in "Sitemap: https://www.example.com/sitemap.xml".
    """

    severity = Severity.ERROR
    message = "line {line} declares {value!r}, which {problem}"
    references = (
        PROTOCOL,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.audited:
            return
        for declared in row.sitemaps:
            problem = describe_url_problem(declared.value, urls.normalize(declared.value))
            if problem:
                yield self.finding(row, line=declared.line, value=declared.value, problem=problem)
