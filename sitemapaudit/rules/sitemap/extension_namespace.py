from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Severity, Sitemap
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_EXTENSIONS, SEARCH_CONSOLE


class ExtensionNamespace(RowRule[Sitemap]):
    """The namespace of an extension is wrong

    When: an element of an entry has a wrong form of the namespace of an extension: https in
    place of http, another version, a slash at the end, or another address altogether under one
    of the usual prefixes image, video, news and xhtml. A declaration alone, without an element
    that uses it, is nothing.

    Why: Engines go by the exact address, and pass over the elements.

    Fix: Declare the exact namespace, such as
    http://www.google.com/schemas/sitemap-image/1.1.
    """

    severity = Severity.ERROR
    message = "uses the namespace {uri} for {prefix}, which is none of the extensions'"
    references = (
        GOOGLE_EXTENSIONS,
        SEARCH_CONSOLE,
    )

    def check(self, row: Sitemap) -> Iterator[Finding]:
        for binding in row.wrong_namespaces:
            yield self.finding(row, prefix=binding.prefix or "its elements", uri=binding.namespace)
