"""Reads the entries of the protocol (sitemaps.org 0.9), and checks them against its schema.

The schemas are sitemap.xsd and siteindex.xsd. They allow four children of a ``url`` and two of a
``sitemap``, each at most once and in a fixed order, followed by elements of any other namespace.
"""

from itertools import takewhile
from typing import Final

from sitemapaudit.caps import cut
from sitemapaudit.items import Entry
from sitemapaudit.sitemaps.entry_urls import entry_url
from sitemapaudit.sitemaps.extensions import EXTENSIONS
from sitemapaudit.sitemaps.structure import MAX_NAMED
from sitemapaudit.sitemaps.w3c_dates import w3c_datetime
from sitemapaudit.sitemaps.xml_stream import Element, lacks_namespace, split_tag, tag_of, text_of

FIELDS: Final = ("loc", "lastmod", "changefreq", "priority")
INDEX_FIELDS: Final = FIELDS[:2]


class EntryReader:
    """Reads the entries of one file; its ``namespace`` may be wrong.

    All four fields are read wherever they occur; the schema allows only the ``allowed`` ones.
    """

    def __init__(self, namespace: str | None, allowed: tuple[str, ...]) -> None:
        self._namespace = namespace
        self._any_tag = f"{{{namespace or ''}}}*"
        self._fields = {tag_of(namespace, name): order for order, name in enumerate(FIELDS)}
        self._movable = (*self._fields, *EXTENSIONS)
        self._misplaced = tuple(name for name in FIELDS if name not in allowed)

    def __call__(self, element: Element, entry: Entry) -> None:
        """Read an element into its entry."""
        rearranged = entry.recovered and self._move_out_of_fields(element)
        self._read_children(element, entry)
        if entry.lastmod:
            parsed = w3c_datetime(entry.lastmod)
            entry.lastmod_at = parsed.at if parsed else None
        for name in self._misplaced:
            if getattr(entry, name) is not None:
                _record_unknown(name, entry)
        if rearranged:
            entry.unknown_elements, entry.repeated_elements, entry.out_of_order = (), (), False

    def _read_children(self, element: Element, entry: Entry) -> None:
        reached = 0
        for child in element:
            tag = child.tag
            order = self._fields.get(tag)
            if order is not None:
                if self._read_field(child, entry, FIELDS[order]):
                    entry.out_of_order = entry.out_of_order or order < reached
                    reached = order
            elif tag in EXTENSIONS:
                reached = len(FIELDS)
                if not EXTENSIONS[tag](child, entry):
                    self._record_nested(child, entry)
            elif self._is_foreign(child, entry):
                reached = len(FIELDS)

    def _read_field(self, child: Element, entry: Entry, name: str) -> bool:
        """Read a field; return whether it is its first occurrence.

        Of several occurrences, the first that is not blank counts.
        """
        plain, previous = len(child) == 0, getattr(entry, name)
        text = text_of(child)
        if previous is None or (text.strip() and not previous.strip()):
            setattr(entry, name, text)
            if name == "loc":
                entry.url = entry_url(text, unreliable=entry.recovered or not plain)
        if not plain:
            self._record_nested(child, entry)
        if previous is not None and name not in entry.repeated_elements:
            entry.repeated_elements = [*entry.repeated_elements, name]
        return previous is None

    def _is_foreign(self, child: Element, entry: Entry) -> bool:
        """Return whether a child is of another namespace; if not, record it as unknown.

        The schema does not allow elements without a namespace either (XML Schema, "##other").
        """
        namespace, name = split_tag(child)
        if namespace == self._namespace or lacks_namespace(child):
            _record_unknown(name, entry)
            return False
        self._record_nested(child, entry)
        return True

    def _record_nested(self, child: Element, entry: Entry) -> None:
        """Record elements of the protocol within a child: the schema allows none there."""
        for nested in child.iterdescendants(self._any_tag):
            if len(entry.unknown_elements) == MAX_NAMED:
                return
            between = takewhile(lambda parent: parent is not child, nested.iterancestors())
            path = reversed([nested, *between, child])
            _record_unknown(cut("/".join(map(self._qualified_name, path))), entry)

    def _qualified_name(self, element: Element) -> str:
        """Return the name of an element; with its prefix if it is of another namespace."""
        namespace, name = split_tag(element)
        foreign = element.prefix and namespace != self._namespace
        return f"{element.prefix}:{name}" if foreign else name

    def _move_out_of_fields(self, entry: Element) -> bool:
        """Move elements that a missing end tag left inside a field; return whether any moved."""
        moved = False
        for element in list(entry.iterdescendants(*self._movable)):
            parent = element.getparent()
            if parent is not None and parent.tag in self._fields:
                entry.append(element)
                moved = True
        return moved


def _record_unknown(name: str, entry: Entry) -> None:
    if name and name not in entry.unknown_elements and len(entry.unknown_elements) < MAX_NAMED:
        entry.unknown_elements = [*entry.unknown_elements, name]
