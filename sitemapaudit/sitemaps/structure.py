"""Records where a sitemap violates its schema, in the row of the file.

The schemas are sitemap.xsd and siteindex.xsd of sitemaps.org. They allow elements of other
namespaces after those of the protocol, but not without a namespace.
"""

from typing import Final

from sitemapaudit.items import NamespaceBinding, Sitemap, UnexpectedElement
from sitemapaudit.sitemaps.extensions import is_misspelled_namespace
from sitemapaudit.sitemaps.xml_stream import (
    Element,
    ParseListener,
    Root,
    lacks_namespace,
    line_of,
    split_tag,
)

MAX_NAMED: Final = 20
"""Names that are recorded for each kind of violation."""


class StructureListener(ParseListener):
    """Records unexpected elements between entries, and misspelled namespaces that entries use.

    A declaration alone is harmless: it stays one of the ``suspects`` until an element uses it.
    """

    def __init__(self, row: Sitemap, root: Root) -> None:
        self.suspects: list[NamespaceBinding] = []
        self._row = row
        for prefix, namespace in root.prefixes.items():
            self.on_namespace(prefix, namespace)

    def on_namespace(self, prefix: str | None, namespace: str) -> None:
        """Add a declaration to the suspects if it misspells the namespace of an extension."""
        if namespace == self._row.namespace or not is_misspelled_namespace(prefix, namespace):
            return
        binding = NamespaceBinding(prefix, namespace)
        known = (*self._row.wrong_namespaces, *self.suspects)
        if binding not in known and len(known) < MAX_NAMED:
            self.suspects.append(binding)

    def on_other_child(self, element: Element) -> None:
        """Record a child of the root that is not an entry, in the sitemap namespace or in none."""
        namespace, name = split_tag(element)
        if (
            name
            and (namespace == self._row.namespace or lacks_namespace(element))
            and len(self._row.unexpected_elements) < MAX_NAMED
        ):
            self._row.unexpected_elements.append(UnexpectedElement(line_of(element), name))

    def record_used_suspects(self, entry: Element) -> None:
        """Record the suspects that an entry uses."""
        for binding in [*self.suspects]:
            used = entry.iterdescendants(f"{{{binding.namespace}}}*")
            if any(element.prefix == binding.prefix for element in used):
                self.suspects.remove(binding)
                self._row.wrong_namespaces.append(binding)
