from collections.abc import Iterator

from sitemapaudit.items import Finding, Kind, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, SEARCH_CONSOLE
from sitemapaudit.sitemaps.dialects import NAMESPACE


class SitemapNamespace(RowRule[Sitemap]):
    """Sitemap namespace is incorrect

    When: the namespace of the root is not exactly http://www.sitemaps.org/schemas/sitemap/0.9: it
    is missing, or differs in https, a trailing slash or the version. The legacy namespaces of
    Google (0.84): warning.

    Why: Engines require the namespace, and report a wrong one as an error.

    Fix: Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9".
    """

    severity = Severity.ERROR
    message = "has {problem}"
    references = (
        PROTOCOL,
        SEARCH_CONSOLE,
    )

    _legacy = "http://www.google.com/schemas/sitemap/0."

    def check(self, row: Sitemap) -> Iterator[Finding]:
        if row.kind not in (Kind.URLSET, Kind.SITEMAPINDEX) or row.namespace == NAMESPACE:
            return
        if row.namespace is None:
            yield self.finding(row, problem="no namespace", namespace=None)
            return
        legacy = row.namespace.startswith(self._legacy)
        severity = Severity.WARNING if legacy else Severity.ERROR
        problem = f"the incorrect namespace {row.namespace}"
        yield self.finding(row, severity, problem=problem, namespace=row.namespace)
