"""Entries of the protocol (sitemaps.org 0.9): how one is read, and noted against its schema.

The schemas are sitemap.xsd and siteindex.xsd. They know four children of a
``url`` and two of a ``sitemap``, each at most once and in their order, and
behind them elements of any other namespace.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from sitemapaudit.items import Entry
from sitemapaudit.sitemaps.addresses import url_of
from sitemapaudit.sitemaps.dates import w3c_datetime
from sitemapaudit.sitemaps.extensions import EXTENSIONS
from sitemapaudit.sitemaps.structure import MAX_NAMED
from sitemapaudit.sitemaps.xml import Element, split_tag, tag_of, text_of

FIELDS: Final = ("loc", "lastmod", "changefreq", "priority")
INDEX_FIELDS: Final = FIELDS[:2]


class EntryReader:
    """Reads the entries of one file, whose ``namespace`` may be a wrong one.

    All four fields are read wherever they stand; ``known`` are those that the
    schema knows there.
    """

    def __init__(self, namespace: str | None, known: tuple[str, ...]) -> None:
        self._namespace = namespace
        self._anything = f"{{{namespace or ''}}}*"
        self._fields = {tag_of(namespace, name): place for place, name in enumerate(FIELDS)}
        self._movable = (*self._fields, *EXTENSIONS)
        self._misplaced = tuple(name for name in FIELDS if name not in known)

    def __call__(self, element: Element, entry: Entry) -> None:
        """Read an element into its entry."""
        guessed = entry.recovered and self._put_back(element)
        self._read_children(element, entry)
        if entry.lastmod:
            moment = w3c_datetime(entry.lastmod)
            entry.lastmod_at = moment.at if moment else None
        for name in self._misplaced:
            if getattr(entry, name) is not None:
                _name(name, entry)
        if guessed:
            entry.unknown, entry.repeated, entry.disordered = [], [], False

    def _read_children(self, element: Element, entry: Entry) -> None:
        reached = 0
        for child in element:
            tag = child.tag
            place = self._fields.get(tag)
            if place is not None:
                if self._read_field(child, entry, FIELDS[place]):
                    entry.disordered = entry.disordered or place < reached
                    reached = place
            elif tag in EXTENSIONS:
                reached = len(FIELDS)
                if not EXTENSIONS[tag](child, entry):
                    self._note_strays(child, entry)
            elif self._is_foreign(child, entry):
                reached = len(FIELDS)

    def _read_field(self, child: Element, entry: Entry, name: str) -> bool:
        """Read a field, the first that is not blank if it stands there twice; whether it is new."""
        plain, before = len(child) == 0, getattr(entry, name)
        text = child.text or "" if plain else text_of(child)
        if before is None or (text.strip() and not before.strip()):
            setattr(entry, name, text)
            if name == "loc":
                entry.url = url_of(text, doubtful=entry.recovered or not plain)
        if not plain:
            self._note_strays(child, entry)
        if before is not None and name not in entry.repeated:
            entry.repeated.append(name)
        return before is None

    def _is_foreign(self, child: Element, entry: Entry) -> bool:
        """Whether a child is of another namespace; if not, it is unknown, and noted."""
        namespace, name = split_tag(child)
        if namespace == self._namespace:
            _name(name, entry)
            return False
        self._note_strays(child, entry)
        return True

    def _note_strays(self, child: Element, entry: Entry) -> None:
        """Note what has the namespace of the protocol within a child, where it has no place."""
        for stray in child.iterdescendants(self._anything):
            if len(entry.unknown) == MAX_NAMED:
                return
            between = takewhile(lambda above: above is not child, stray.iterancestors())
            path = reversed([stray, *between, child])
            _name("/".join(map(self._written, path)), entry)

    def _written(self, element: Element) -> str:
        """Return the name of an element, with its prefix where it is of another namespace."""
        namespace, name = split_tag(element)
        foreign = element.prefix and namespace != self._namespace
        return f"{element.prefix}:{name}" if foreign else name

    def _put_back(self, entry: Element) -> bool:
        """Move elements out of fields, where a missing end tag has put them; whether any was."""
        moved = False
        for element in list(entry.iterdescendants(*self._movable)):
            parent = element.getparent()
            if parent is not None and parent.tag in self._fields:
                entry.append(element)
                moved = True
        return moved


def _name(name: str, entry: Entry) -> None:
    if name and name not in entry.unknown and len(entry.unknown) < MAX_NAMED:
        entry.unknown.append(name)
