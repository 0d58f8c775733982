"""Selects elements of documents: by CSS selectors, with one engine per thread; by ancestors.

Every parser of selectolax creates its own engine at its first selector.
"""

import threading
from collections.abc import Callable, Container, Mapping
from typing import Any, Final

from selectolax.lexbor import LexborCSSSelector, LexborHTMLParser, LexborNode

_Find = Callable[[str, LexborNode], list[LexborNode]]


class _Engine(threading.local):
    """The engine of a thread: it keeps its results while it searches."""

    def __init__(self) -> None:
        new: Any = LexborCSSSelector  # Its stub has neither types nor find_first.
        engine = new()
        self.find: _Find = engine.find
        self.find_first: _Find = engine.find_first


_engine: Final = _Engine()
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


def address_of(attributes: Mapping[str, str | None]) -> str:
    """Return the address of a link that a selector found by ``[href]``.

    Selectors find an attribute with a prefix by its name without it: links of SVG 1.1 have
    ``xlink:href``. A plain ``href`` takes precedence (SVG 2, section 16.1.6).
    """
    return (attributes["href"] if "href" in attributes else attributes.get("xlink:href")) or ""


def has_ancestor(node: LexborNode, names: Container[str | None]) -> bool:
    """Return whether a near ancestor of an element has one of these names."""
    ancestor = node.parent
    for _ in range(_MAX_LEVELS):
        if ancestor is None or ancestor.tag in names:
            break
        ancestor = ancestor.parent
    return ancestor is not None and ancestor.tag in names
