from collections.abc import Iterator

from sitemapaudit import urls
from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.rules.locs import describe_url_problem
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, PROTOCOL
from sitemapaudit.urls.reserved_hosts import is_reserved


class RobotsSitemapInvalid(RowRule[Robots]):
    """Sitemap line of robots.txt is not a valid absolute URL

    When: the value of a Sitemap line is not an absolute, valid http(s) URL. It is relative, empty
    or protocol-relative, or loc-invalid would report it in a sitemap, for example because of
    whitespace inside. Or search engines cannot reach its host, such as the machine itself, a
    private address or example.com, unless the site has such a host itself.

    Why: Search engines require an absolute URL, with protocol and host, and may ignore the line.
    Behind a proxy, an application may write its inner address.

    Fix: Write the absolute URL, as in "Sitemap: https://www.example.com/sitemap.xml".
    """

    severity = Severity.ERROR
    message = "line {line} declares {value!r}, which {problem}"
    about_sitemaps = True
    references = (
        PROTOCOL,
        GOOGLE_ROBOTS,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.audited:
            return
        for declared in row.sitemaps:
            problem = describe_url_problem(declared.value, urls.normalize(declared.value))
            if problem is None and self._is_out_of_reach(row.site, declared.url):
                problem = "has a host that search engines cannot reach"
            if problem:
                yield self.finding(row, line=declared.line, value=declared.value, problem=problem)

    @staticmethod
    def _is_out_of_reach(site: str, declared: str | None) -> bool:
        if declared is None or is_reserved(urls.host(site)):
            return False
        return is_reserved(urls.host(declared))
