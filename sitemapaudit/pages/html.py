"""HTML as a browser parses it → the elements that say something to a search engine."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapaudit.pages.text import MainText, main_text

_LOOKED_AT: Final = "title, meta, link[rel], base[href], h1"
_FOREIGN: Final = frozenset({"svg", "math"})


@dataclass(slots=True)
class LinkElement:
    """A ``link`` element: its relations in lower case, its attributes, where it stands."""

    relations: list[str]
    attributes: dict[str, str | None]
    in_head: bool

    def get(self, name: str) -> str | None:
        """Return an attribute; an empty string where it has no value, None where it is absent."""
        return (self.attributes[name] or "") if name in self.attributes else None


@dataclass(slots=True)
class Html:
    """What the parsed document holds; ``metas`` are name, http-equiv and content."""

    title: str | None = None
    h1: str | None = None
    lang: str | None = None
    base: str | None = None
    metas: list[tuple[str, str, str]] = field(default_factory=list)
    links: list[LinkElement] = field(default_factory=list)
    text: MainText = field(default_factory=MainText)


def read_html(body: bytes, charset: str | None) -> Html:
    """Parse a document; ``charset`` is that of Content-Type, which a byte order mark overrules.

    Scripting is on, as in the browsers and crawlers that count: then a
    ``noscript`` in the head is text, and an image in it does not end the head.
    """
    parser = _parse(body, charset)
    html = Html(lang=_lang(parser.root))
    for node in parser.css(_LOOKED_AT):
        _READERS[node.tag or ""](html, node)
    html.text = main_text(parser)
    return html


def _parse(body: bytes, charset: str | None) -> LexborHTMLParser:
    if charset and charset not in ("utf-8", "utf8") and not body.startswith(codecs.BOM_UTF8):
        try:
            return LexborHTMLParser(body.decode(charset, errors="replace"), scripting=True)
        except (LookupError, ValueError):  # No such encoding, or none of text.
            pass
    declared = charset in ("utf-8", "utf8")
    return LexborHTMLParser(body, scripting=True, encoding=not declared)


def _lang(root: LexborNode | None) -> str | None:
    return ((root.attributes.get("lang") or "").strip() or None) if root else None


def _read_title(html: Html, node: LexborNode) -> None:
    if html.title is None and not _is_foreign(node):
        html.title = _line(node.text())


def _read_h1(html: Html, node: LexborNode) -> None:
    if html.h1 is None:
        html.h1 = _line(node.text())


def _read_meta(html: Html, node: LexborNode) -> None:
    get = node.attributes.get
    html.metas.append((get("name") or "", get("http-equiv") or "", get("content") or ""))


def _read_link(html: Html, node: LexborNode) -> None:
    attributes = dict(node.attributes)
    relations = (attributes.get("rel") or "").lower().split()
    html.links.append(LinkElement(relations, attributes, _in_head(node)))


def _read_base(html: Html, node: LexborNode) -> None:
    if html.base is None:
        html.base = node.attributes.get("href")


_READERS: Final = {
    "title": _read_title,
    "h1": _read_h1,
    "meta": _read_meta,
    "link": _read_link,
    "base": _read_base,
}


def _in_head(node: LexborNode) -> bool:
    """Whether the parser left the element in the head, wherever the source closes that."""
    parent = node.parent
    return parent is not None and parent.tag == "head"


def _is_foreign(node: LexborNode) -> bool:
    parent = node.parent
    return parent is not None and parent.tag in _FOREIGN


def _line(text: str) -> str:
    return " ".join(text.split())
