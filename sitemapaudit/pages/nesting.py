"""Limits how much of a document is parsed: hostile nesting takes hours, or all the memory.

At nearly every tag, an HTML5 parser searches all open elements: its time grows with the square of
the nesting depth. Each paragraph gets copies of the formatting elements that were left open (HTML
Standard, "reconstruct the active formatting elements"): 55 kB of ``<p><b id=1>x<p><b id=2>x…``
become eight million elements. Each attribute is compared with all earlier attributes of its
element; further ``html`` and ``body`` tags add to those of the first. Each ``option`` makes the
parser visit all earlier options of its ``select``.
"""

import re
from collections import Counter
from typing import Final

DEEP_TAGS: Final = 10_000
"""A document with more tags can be nested so deeply that it takes seconds to parse."""

COPYING_TAGS: Final = 2_000
"""A document with more tags can fill the memory with copies."""

MAX_TAGS: Final = 200_000
"""Tags that are parsed at most. The 2 MB that Googlebot reads rarely contain as many.

With this limit, nesting that deceives the count takes a minute, not hours.
"""

LONG_TAG: Final = 1_024
"""A tag with more bytes can have enough attributes to take seconds to compare."""

_MAX_STEPS: Final = 100_000_000
"""Steps of the parser that are allowed; one open element takes one step, some nanoseconds."""

_LONG_PIECE: Final = re.compile(rb"<[^<]{%d,}+" % (LONG_TAG + 1))
"""A tag that may be long, and the text behind it."""

_COMPARABLE_BYTES: Final = 32_768
"""A document with at most this many bytes cannot have too many attributes."""

_STEPS_PER_COPY: Final = 100
"""Steps that it takes to copy one element."""

_MAX_ALIKE: Final = 3
"""Formatting elements with equal attributes that are copied at most ("Noah's Ark clause")."""

_VOID: Final = frozenset(
    b"area base br col embed hr img input link meta param source track wbr".split()
)
_IMPLIED_END: Final = frozenset(
    b"caption colgroup dd dt li option p tbody td tfoot th thead tr".split()
)
_NOT_NESTING: Final = _VOID | _IMPLIED_END
_MERGED: Final = frozenset((b"html", b"body"))
_MERGED_TAG: Final = re.compile(rb"<(?:html|body)[\s/]", re.IGNORECASE)
_MAX_MERGED: Final = 16
"""Up to this many such tags are not counted: they have few attributes, or are long."""

_SCOPES: Final = frozenset(b"applet marquee object select table template".split())
"""An end tag within these elements does not end an element outside of them."""

# Without ``a``, which ends the previous one.
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

_TEXT_ENDS: Final = {
    name: re.compile(rb"</%b(?=[\s/>])" % name, re.IGNORECASE)
    for name in b"iframe noembed noframes noscript script style textarea title xmp".split()
}
"""The elements that contain only text, and the end tag of each."""


def parsable_length(document: bytes, tags: int | None = None) -> int:
    """Return how many bytes can be parsed within seconds: all bytes of nearly every document.

    ``tags`` is the number of ``<`` in it, if known.
    """
    if tags is None:
        tags = document.count(b"<")
    if tags > DEEP_TAGS or (
        tags > COPYING_TAGS and tags * _count_copies(document) > _MAX_STEPS // _STEPS_PER_COPY
    ):
        return _bounded_length(_first_tags(document))
    if len(document) <= _COMPARABLE_BYTES:
        return len(document)
    if len(_MERGED_TAG.findall(document)) > _MAX_MERGED:
        return _bounded_length(document)
    return _comparable_length(document)


def _comparable_length(document: bytes) -> int:
    """Return how many bytes can be parsed before comparing attributes takes seconds."""
    compared = 0
    for piece in _LONG_PIECE.finditer(document):
        if token := _TOKEN.match(document, piece.start()):
            compared += _count_comparisons(token[0])
            if compared > _MAX_STEPS:
                return piece.start()
    return len(document)


def _count_comparisons(tag: bytes) -> int:
    """Return how many pairs of attributes a long tag has; 0 for any other tag."""
    return _count_attributes(tag) ** 2 // 2 if len(tag) >= LONG_TAG else 0


def _count_attributes(tag: bytes) -> int:
    return sum(1 for _ in _ATTRIBUTE.finditer(tag))


def _count_copies(document: bytes) -> int:
    """Return how many formatting elements a paragraph can copy at most."""
    return _MAX_ALIKE * len(set(_FORMATTING_TAG.findall(document)))


def _first_tags(document: bytes) -> bytes:
    return b"<".join(document.split(b"<", MAX_TAGS + 1)[: MAX_TAGS + 1])


def _bounded_length(document: bytes) -> int:
    elements, steps, position = _OpenElements(), 0, 0
    while token := _TOKEN.search(document, position):
        position = token.end()
        if token["name"]:
            name, end = token["name"].lower(), bool(token["end"])
            if name in _TEXT_ENDS and not (end or elements.in_drawing):
                position = _find_text_end(document, name, position)
            elements.read(name, token[0], end=end)
            steps += elements.steps + _count_comparisons(token[0])
            if steps > _MAX_STEPS:
                return token.start()
    return len(document)


def _find_text_end(document: bytes, name: bytes, start: int) -> int:
    found = _TEXT_ENDS[name].search(document, start)
    return found.start() if found else len(document)


class _OpenElements:
    """Counts from the tags alone what the parser visits: open elements, copies, options."""

    def __init__(self) -> None:
        self._depth = 0
        self._copies = 0
        self._compared = 0
        self._merged = 0
        self._options: list[int] = []
        self._scope = 0
        self._open: Counter[tuple[int, bytes]] = Counter()
        self._formatting = 0
        self._kinds: set[bytes] = set()

    @property
    def in_drawing(self) -> bool:
        """True while a drawing or a formula is open."""
        return bool(self._open[self._scope, b"svg"] or self._open[self._scope, b"math"])

    @property
    def steps(self) -> int:
        """The steps that the parser takes at the tag that was read last."""
        options = self._options[-1] if self._options else 0
        return self._depth + _STEPS_PER_COPY * self._copies + self._compared + options

    def read(self, name: bytes, tag: bytes, *, end: bool) -> None:
        """Count a tag; the end tag of an element that is not open is ignored."""
        self._compared = 0
        if name in _MERGED and not end:
            attributes = _count_attributes(tag)
            self._compared, self._merged = attributes * self._merged, self._merged + attributes
        elif name == b"option" and self._options:
            self._options[-1] += not end
        is_scope = name in _SCOPES
        scope = self._scope - (is_scope and end)
        if name in _NOT_NESTING or (end and not self._open[scope, name]):
            return
        if self.in_drawing and tag.endswith(b"/>"):
            return  # It closes itself, as in XML.
        step = -1 if end else 1
        self._open[scope, name] += step
        self._scope += step * is_scope
        self._depth += step
        if name == b"select" and end:
            self._options.pop()
        elif name == b"select":
            self._options.append(0)
        if name in _FORMATTING:
            self._formatting += step
            self._kinds.add(tag)
            self._copies = min(self._formatting, _MAX_ALIKE * len(self._kinds))
