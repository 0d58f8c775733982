from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_EXTENSIONS, SEARCH_CONSOLE


class ExtensionNamespace(RowRule[Sitemap]):
    """Extension namespace is incorrect

    When: an element of an entry has a variant of an extension namespace (https instead of http,
    another version, a trailing slash), or an entirely different namespace under one of the usual
    prefixes image, video, news and xhtml. A declaration that no element uses is not reported.

    Why: Engines compare the namespace exactly, and ignore the elements.

    Fix: Declare the exact namespace, such as http://www.google.com/schemas/sitemap-image/1.1.
    """

    severity = Severity.ERROR
    message = "uses the incorrect namespace {namespace} for {prefix}"
    references = (
        GOOGLE_EXTENSIONS,
        SEARCH_CONSOLE,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        for binding in row.wrong_namespaces:
            prefix = binding.prefix or "its elements"
            yield self.finding(row, prefix=prefix, namespace=binding.namespace)
