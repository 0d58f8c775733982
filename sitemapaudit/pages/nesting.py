"""How much of a document can be parsed: hostile nesting takes hours, or all the memory.

At most tags an HTML5 parser looks through every element that is open, so that
its time grows with the square of the nesting. And where formatting elements
were left open, each paragraph gets copies of them (HTML Standard, "reconstruct
the active formatting elements"): 55 kB of ``<p><b id=1>x<p><b id=2>x…`` become
eight million elements. And each attribute is compared with all before it in its tag.
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

LONG: Final = 1_024
"""Bytes of a tag from which on its attributes can be so many that they take seconds to compare."""

_MOST: Final = 100_000_000
"""Open elements that the parser may come across, at some nanoseconds each."""

_FEW_ATTRIBUTES: Final = 32_768
"""Bytes of a document that cannot hold so many."""

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
_ONE_ATTRIBUTE: Final = (
    rb"[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?+)?+"
)
_ATTRIBUTE: Final = re.compile(_ONE_ATTRIBUTE)
_ATTRIBUTES: Final = rb"(?:[\s/]++|%b)*+" % _ONE_ATTRIBUTE
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
    return _comparable_length(document) if len(document) > _FEW_ATTRIBUTES else len(document)


def _comparable_length(document: bytes) -> int:
    """Return how many bytes can be parsed before attributes take seconds to compare."""
    place = compared = 0
    for piece in document.split(b"<"):
        if len(piece) > LONG and (token := _TOKEN.match(document, place - 1)):
            compared += _comparisons(token[0])
            if compared > _MOST:
                return place - 1
        place += len(piece) + 1
    return len(document)


def _comparisons(tag: bytes) -> int:
    """Return how many pairs of attributes a tag has, if it is long."""
    if len(tag) < LONG:
        return 0
    return sum(1 for _ in _ATTRIBUTE.finditer(tag)) ** 2 // 2


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
            met += elements.depth + _COPY * elements.copies + _comparisons(token[0])
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
