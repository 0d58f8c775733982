"""Selects elements of documents: by selectors, by names, by ancestors.

Selectors have one engine per thread: every parser of selectolax creates its own at its first one.
"""

import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Final

from selectolax.lexbor import LexborCSSSelector, LexborHTMLParser, LexborNode, create_tag

Elements = dict[str, list[LexborNode]]
"""The elements of a document by their names, in their order."""

_Find = Callable[[str, LexborNode], list[LexborNode]]


class _Engine(threading.local):
    """The engine of a thread: it keeps its results while it searches."""

    def __init__(self) -> None:
        new: Any = LexborCSSSelector  # Its stub has neither types nor find_first.
        engine = new()
        self.find: _Find = engine.find
        self.find_first: _Find = engine.find_first


_engine: Final = _Engine()
_INTEGRATION_POINTS: Final[Mapping[str | None, frozenset[str]]] = {
    "svg": frozenset({"foreignObject", "desc", "title"}),
    "math": frozenset({"mi", "mo", "mn", "ms", "mtext"}),
}
"""The elements of drawings and formulas that contain HTML again (HTML Standard, 13.2.4.2)."""

_MAX_LEVELS: Final = 32
"""The most ancestors of an element that are examined."""


def select(within: LexborHTMLParser | LexborNode, selector: str) -> list[LexborNode]:
    """Return the matches of a selector in a document, or in an element, itself included."""
    root = within.root if isinstance(within, LexborHTMLParser) else within
    return [] if root is None else _engine.find(selector, root)


def select_first(document: LexborHTMLParser, selector: str) -> LexborNode | None:
    """Return the first element of a document that a selector matches, if there is one."""
    root = document.root
    found = [] if root is None else _engine.find_first(selector, root)
    return found[0] if found else None


def number_names(names: Iterable[str]) -> dict[int, str]:
    """Return names of elements by their numbers in lexbor."""
    return {create_tag(name).tag_id: name for name in names}


def find_elements(document: LexborHTMLParser, names: Mapping[int, str]) -> Elements:
    """Return the elements of each name, which are given by their numbers.

    Walking the whole tree takes half as long as selectors for a dozen names.
    """
    elements: Elements = {name: [] for name in names.values()}
    for node in document.root.traverse() if document.root else ():
        if node.tag_id in names:
            elements[names[node.tag_id]].append(node)
    return elements


def address_of(attributes: Mapping[str, str | None]) -> str | None:
    """Return the address of a link; None if it has no ``href``.

    Links of SVG 1.1 have ``xlink:href``. A plain ``href`` takes precedence (SVG 2, section 16.1.6).
    """
    for name in ("href", "xlink:href"):
        if name in attributes:
            return attributes[name] or ""
    return None


def has_ancestor(node: LexborNode, names: Container[str | None]) -> bool:
    """Return whether a near ancestor of an element has one of these names."""
    return any(name in names for name in _ancestors(node))


def is_foreign(node: LexborNode) -> bool:
    """Return whether an element belongs to a drawing or a formula, and not to HTML in it."""
    points: Container[str | None] | None = None
    for name in reversed([*_ancestors(node)]):
        if points is None:
            points = _INTEGRATION_POINTS.get(name)
        elif name in points:
            points = None
    return points is not None


def _ancestors(node: LexborNode) -> Iterator[str | None]:
    """Yield the names of the near ancestors of an element, from the nearest on."""
    ancestor = node.parent
    for _ in range(_MAX_LEVELS):
        if ancestor is None:
            return
        yield ancestor.tag
        ancestor = ancestor.parent
