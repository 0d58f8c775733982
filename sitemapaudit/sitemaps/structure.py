"""What stands in a file of the protocol against its schema, told in its row.

The schemas are sitemap.xsd and siteindex.xsd of sitemaps.org; elements of
other namespaces may stand anywhere behind those of the protocol.
"""

from __future__ import annotations

from typing import Final

from sitemapaudit.items import Binding, Sitemap, Stranger
from sitemapaudit.sitemaps.extensions import is_wrong_form
from sitemapaudit.sitemaps.xml import Element, Root, Watch, line_of, split_tag

MAX_NAMED: Final = 20
"""Names that are kept of one kind of fault."""


class Structure(Watch):
    """Notes strangers among the entries, and wrong namespaces that entries use.

    A declaration alone harms nobody: it is one of the ``suspects``, until an
    element is met that uses it.
    """

    def __init__(self, row: Sitemap, root: Root) -> None:
        self.suspects: list[Binding] = []
        self._row = row
        for prefix, namespace in root.prefixes.items():
            self.on_namespace(prefix, namespace)

    def on_namespace(self, prefix: str | None, namespace: str) -> None:
        """Suspect a declaration, if it is a wrong form of one that an extension has."""
        if namespace == self._row.namespace or not is_wrong_form(prefix, namespace):
            return
        binding = Binding(prefix, namespace)
        known = (*self._row.wrong_namespaces, *self.suspects)
        if binding not in known and len(known) < MAX_NAMED:
            self.suspects.append(binding)

    def on_other(self, element: Element) -> None:
        """Note a child of the root that is no entry, if it claims to be of the protocol."""
        namespace, name = split_tag(element)
        if name and namespace == self._row.namespace and len(self._row.strangers) < MAX_NAMED:
            self._row.strangers.append(Stranger(line_of(element), name))

    def look(self, entry: Element) -> None:
        """Note the suspects that an entry uses."""
        for binding in [*self.suspects]:
            used = entry.iterdescendants(f"{{{binding.namespace}}}*")
            if any(element.prefix == binding.prefix for element in used):
                self.suspects.remove(binding)
                self._row.wrong_namespaces.append(binding)
