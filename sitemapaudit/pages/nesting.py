"""How much of a document can be parsed: hostile nesting takes hours, or all the memory.

At most tags an HTML5 parser looks through every element that is open, so that
its time grows with the square of the nesting. And where formatting elements
were left open, each paragraph gets copies of them (HTML Standard, "reconstruct
the active formatting elements"): 55 kB of ``<p><b id=1>x<p><b id=2>x…`` become
eight million elements.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

MANY: Final = 20_000
"""Tags from which on a document can be nested so deeply that it takes seconds to parse."""

SOME: Final = 2_000
"""Tags from which on a document can be multiplied so often that it fills the memory."""

TOO_MANY: Final = 200_000
"""Tags that are parsed at most: the 2 MB that Googlebot reads hardly hold as many.

What is nested so as to deceive the count takes a minute, and not hours.
"""

_MOST: Final = 100_000_000
"""Open elements that the parser may come across, at some nanoseconds each."""

_COPY: Final = 100
"""To copy an element takes as long as to come across so many."""

_ALIKE: Final = 3
"""Formatting elements with the same attributes that are copied ("Noah's Ark clause")."""

_VOID: Final = frozenset(
    b"area base br col embed hr img input link meta param source track wbr".split()
)
_IMPLIED_END: Final = frozenset(
    b"caption colgroup dd dt li option p tbody td tfoot th thead tr".split()
)
_UNNESTED: Final = _VOID | _IMPLIED_END
_CLOSED_IN_THEMSELVES: Final = frozenset(b"applet marquee object select table template".split())
"""Elements within which an end tag ends nothing that was open before them."""

# Without ``a``: it ends the one before it.
_FORMATTING: Final = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_FORMATTING_TAG: Final = re.compile(
    rb"<(?:%b)(?=[\s/>])[^>]*+" % b"|".join(sorted(_FORMATTING)), re.IGNORECASE
)
_ATTRIBUTES: Final = (
    rb"(?:[\s/]++|[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?+)?+)*+"
)
_TOKEN: Final = re.compile(
    rb"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|(?P<end>/?)(?P<name>[a-z][^\s/>]*+)%b(?:>|\Z))" % _ATTRIBUTES,
    re.IGNORECASE | re.DOTALL,
)
"""A comment or a tag."""

_ENDS_OF_TEXT: Final = {
    name: re.compile(rb"</%b(?=[\s/>])" % name, re.IGNORECASE)
    for name in b"iframe noembed noframes noscript script style textarea title xmp".split()
}
"""Elements whose content is text, and what ends each."""


def parsable_length(document: bytes) -> int:
    """Return how many bytes can be parsed within seconds: of nearly every document all."""
    tags = document.count(b"<")
    if tags > MANY or (tags > SOME and tags * _copies(document) > _MOST // _COPY):
        return _bounded_length(_first_tags(document))
    return len(document)


def _copies(document: bytes) -> int:
    """Return how many formatting elements a paragraph can get copies of, at most."""
    return _ALIKE * len(set(_FORMATTING_TAG.findall(document)))


def _first_tags(document: bytes) -> bytes:
    return b"<".join(document.split(b"<", TOO_MANY + 1)[: TOO_MANY + 1])


def _bounded_length(document: bytes) -> int:
    elements, met, place = _OpenElements(), 0, 0
    while token := _TOKEN.search(document, place):
        place = token.end()
        if token["name"]:
            name, end = token["name"].lower(), bool(token["end"])
            if name in _ENDS_OF_TEXT and not (end or elements.drawing):
                place = _end_of_text(document, name, place)
            elements.read(name, token[0], end=end)
            met += elements.depth + _COPY * elements.copies
            if met > _MOST:
                return token.start()
    return len(document)


def _end_of_text(document: bytes, name: bytes, start: int) -> int:
    found = _ENDS_OF_TEXT[name].search(document, start)
    return found.start() if found else len(document)


class _OpenElements:
    """How many elements are open, and how many can be copied, as far as the tags alone tell."""

    def __init__(self) -> None:
        self.depth = 0
        self.copies = 0
        self._scope = 0
        self._open: Counter[tuple[int, bytes]] = Counter()
        self._formatting = 0
        self._kinds: set[bytes] = set()

    @property
    def drawing(self) -> bool:
        """Whether a drawing or a formula is open."""
        return bool(self._open[self._scope, b"svg"] or self._open[self._scope, b"math"])

    def read(self, name: bytes, tag: bytes, *, end: bool) -> None:
        """Take in a tag; the end of what is not open ends nothing."""
        closed = name in _CLOSED_IN_THEMSELVES
        scope = self._scope - (closed and end)
        if name in _UNNESTED or (end and not self._open[scope, name]):
            return
        if self.drawing and tag.endswith(b"/>"):
            return  # It ends itself, as in XML.
        step = -1 if end else 1
        self._open[scope, name] += step
        self._scope += step * closed
        self.depth += step
        if name in _FORMATTING:
            self._formatting += step
            self._kinds.add(tag)
            self.copies = min(self._formatting, _ALIKE * len(self._kinds))
