"""HTML as a browser parses it → the elements that say something to a search engine."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapaudit import urls
from sitemapaudit.pages.nesting import parsable_length
from sitemapaudit.pages.text import MainText, main_text

_LOOKED_AT: Final = "title, meta, link[rel], base[href], h1"
MAX_LOOKED_AT: Final = 20_000
"""Such elements that are read: more take seconds, and mean nothing."""

_SCRIPTS: Final = "script:not([type]), script[type*=javascript i], script[type=module i]"
_WRITES: Final = re.compile(
    r"\b(?:rel|name)(?:[\"']\s*,|\s*[=:])[\s\"'`\\]*(canonical|robots|googlebot)\b", re.IGNORECASE
)
"""A script that makes such an element: names in JSON have a quote before the colon, and do not."""

_ROBOTS: Final = "robots"
_ROBOTS_NAMES: Final = frozenset({_ROBOTS, "googlebot"})
_FOREIGN: Final = frozenset({"svg", "math"})
_LEVELS: Final = 32
"""Elements within a drawing or a formula that may stand around a title of it."""

_BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_UTF_8: Final = frozenset({"utf-8", "utf8"})
_PYTHONS_OWN: Final = (
    "idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7",
)  # fmt: skip
"""Codecs that are no encodings of the Web; punycode takes time that grows with the square."""

_DECLARES_ONE: Final = re.compile(
    rb"charset\s*=[\s\"']*(?:%s)" % "|".join(_PYTHONS_OWN).replace("-", "[^a-z0-9]*").encode(),
    re.IGNORECASE,
)


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
    """What the parsed document holds; ``metas`` are name, http-equiv and content.

    ``anchors`` are the addresses of links, where these were asked for; ``scripted`` names the
    elements that a script of the document itself writes, ``canonical`` and ``robots``; ``cut``
    says that it was parsed in part, being nested too deeply.
    """

    title: str | None = None
    h1: str | None = None
    lang: str | None = None
    base: str | None = None
    metas: list[tuple[str, str, str]] = field(default_factory=list)
    links: list[LinkElement] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    scripts: int = 0
    scripted: list[str] = field(default_factory=list)
    text: MainText = field(default_factory=MainText)
    cut: bool = False

    def base_url(self, page_url: str) -> str:
        """Return what addresses in the document are relative to: the first ``base``, or the page.

        A base that is no http(s) URL is passed over (HTML Standard, "frozen base URL").
        """
        return (urls.normalise(self.base, page_url) if self.base else None) or page_url


def read_html(body: bytes, charset: str | None, *, anchors: bool = False) -> Html:
    """Parse a document; ``charset`` is that of Content-Type, which a byte order mark overrules.

    Scripting is on, as in the browsers and crawlers that count: then a
    ``noscript`` in the head is text, and an image in it does not end the head.
    """
    document, declares = _document(body, charset)
    length = parsable_length(document)
    parser = _parse(document[:length], declares=declares)
    html = Html(lang=_lang(parser.root), cut=length < len(document))
    for node in parser.css(_LOOKED_AT)[:MAX_LOOKED_AT]:
        _READERS[node.tag or ""](html, node)
    if anchors:
        html.anchors = [node.attributes["href"] or "" for node in parser.css("a[href], area[href]")]
    scripts = parser.css(_SCRIPTS)
    html.scripts, html.scripted = len(scripts), _written_by(scripts)
    html.text = main_text(parser)
    return html


def _written_by(scripts: list[LexborNode]) -> list[str]:
    written = {
        _ROBOTS if name.lower() in _ROBOTS_NAMES else name.lower()
        for script in scripts
        for name in _WRITES.findall(script.text())
    }
    return sorted(written)


def _document(body: bytes, charset: str | None) -> tuple[bytes, bool]:
    """Return the bytes to parse, and whether they tell their encoding; if not, it is UTF-8."""
    for mark, marked in _BYTE_ORDER_MARKS.items():
        if body.startswith(mark):
            body, charset = body.removeprefix(mark), marked
            break
    if charset and charset not in _UTF_8:
        try:
            if codecs.lookup(charset).name not in _PYTHONS_OWN:
                text = body.decode(charset, errors="replace")
                return text.encode(errors="replace"), False
        except (LookupError, ValueError):  # No such encoding, or none of text.
            pass
    # What the document declares selectolax looks up in Python's codecs, whatever it is.
    return body, charset not in _UTF_8 and not _DECLARES_ONE.search(body[:1024])


def _parse(document: bytes, *, declares: bool) -> LexborHTMLParser:
    try:
        return LexborHTMLParser(document, scripting=True, encoding=declares)
    except UnicodeError:
        return LexborHTMLParser(document, scripting=True)


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
    """Whether an element is part of a drawing or a formula."""
    around = node.parent
    for _ in range(_LEVELS):
        if around is None or around.tag in _FOREIGN:
            break
        around = around.parent
    return around is not None and around.tag in _FOREIGN


def _line(text: str) -> str:
    return " ".join(text.split())
