"""HTML, parsed like a browser does → the elements that matter to a search engine."""

import codecs
import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct, field
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapaudit import urls
from sitemapaudit.caps import MAX_TEXT, cut
from sitemapaudit.http.sniffing import BYTE_ORDER_MARKS
from sitemapaudit.pages.date_modified import JSON_LD, MODIFIED_TIME, read_dates_modified
from sitemapaudit.pages.links import LINK_NAMES
from sitemapaudit.pages.main_text import FRAME, WITHOUT_TEXT, MainText, read_main_text
from sitemapaudit.pages.nesting import parsable_length
from sitemapaudit.pages.script_redirect import find_addresses, read_noscript_refreshes
from sitemapaudit.pages.selecting import (
    Elements,
    address_of,
    find_elements,
    is_foreign,
    number_names,
    select,
)

_ANCHORS: Final = "a[href], area[href]"
MAX_ELEMENTS: Final = 20_000
"""Elements of one name that are read; more would take seconds, and mean nothing."""

MAX_ASSETS: Final = 50
"""Scripts, and other assets, whose addresses are read."""

_MODULE: Final = "module"
_JAVASCRIPT: Final = "javascript"
_WRITTEN_ELEMENT: Final = re.compile(
    r"\b(?:rel|name)(?:[\"']\s*,|\s*[=:])[\s\"'`\\]*(canonical|robots|googlebot)\b", re.IGNORECASE
)
"""A script that creates such an element. JSON does not match: a quote precedes its colon."""

_RELATIONS: Final = ("canonical", "alternate")
"""The relations of the link elements that are read."""

_ROBOTS: Final = "robots"
_ROBOTS_NAMES: Final = frozenset({_ROBOTS, "googlebot"})
_UTF_8: Final = frozenset({"utf-8", "utf8"})
_BROWSER_CODECS: Final = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932",
    "euc_kr": "cp949", "big5": "big5hkscs",
}  # fmt: skip
"""The codecs that browsers use for names of other ones (Encoding Standard, "Names and labels")."""

_DECLARED_CHARSET: Final = re.compile(
    rb"<meta[^>]+?charset\s*=[\s\"']*([a-z0-9_:.-]+)", re.IGNORECASE
)
_PYTHON_CODECS: Final = (
    "idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7",
)  # fmt: skip
"""Codecs of Python that are not encodings of the Web; punycode takes quadratic time."""

_DECLARES_PYTHON_CODEC: Final = re.compile(
    rb"charset\s*=[\s\"']*(?:%s)" % "|".join(_PYTHON_CODECS).replace("-", "[^a-z0-9]*").encode(),
    re.IGNORECASE,
)


class LinkElement(Struct):
    """A ``link`` element: its relations in lower case, its attributes, and its place."""

    relations: list[str]
    attributes: dict[str, str | None]
    in_head: bool

    def get(self, name: str) -> str | None:
        """Return an attribute; an empty string if it has no value, None if it is absent."""
        return (self.attributes[name] or "") if name in self.attributes else None


class Html(Struct):
    """The content of a parsed document; ``metas`` are name, http-equiv and content.

    ``encoding`` is the codec of the document, empty for UTF-8: queries of its addresses have it.
    ``links`` are canonicals and alternates. ``anchors`` are the addresses of links, if requested.
    ``set_by_script`` lists the elements that a script of the document writes: ``canonical`` and
    ``robots``. ``noscript_refreshes`` are the contents of meta refreshes in noscript; only if there
    are any, ``script_addresses`` are the possible targets of scripts. ``dates_modified`` are the
    dates that the document states for itself, as written. ``assets`` are the addresses of its first
    scripts and link elements. ``truncated`` means that only a part was parsed, because the document
    is nested too deeply.
    """

    title: str | None = None
    h1: str | None = None
    lang: str | None = None
    base: str | None = None
    encoding: str = ""
    metas: list[tuple[str, str, str]] = field(default_factory=list)
    links: list[LinkElement] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    scripts: int = 0
    set_by_script: list[str] = field(default_factory=list)
    noscript_refreshes: list[str] = field(default_factory=list)
    script_addresses: list[str] = field(default_factory=list)
    dates_modified: list[str] = field(default_factory=list)
    assets: list[str] = field(default_factory=list)
    text: MainText = field(default_factory=MainText)
    truncated: bool = False

    def base_url(self, page_url: str) -> str:
        """Return the base of relative addresses: the first ``base`` element, or the page.

        A base that is not an http(s) URL is ignored (HTML Standard, "frozen base URL"). The base
        is empty if it is too long: then only absolute addresses can be resolved.
        """
        if self.has_long_base:
            return ""
        base = urls.normalize(self.base, page_url, self.encoding) if self.base else None
        return base or page_url

    @property
    def has_long_base(self) -> bool:
        """True if the ``base`` element is too long to be used."""
        return len(self.base or "") > MAX_TEXT


TreeReader = Callable[[LexborHTMLParser, Html, Elements], None]
"""Reads more from a parsed document, whose base is known, and from its links and frames."""


def read_html(
    body: bytes,
    charset: str | None,
    *,
    anchors: bool = False,
    also: TreeReader | None = None,
    tags: int | None = None,
) -> Html:
    """Parse a document; ``charset`` is from Content-Type, and a byte order mark overrides it.

    Scripting is enabled, as in browsers and in crawlers that render. Then a ``noscript`` in the
    head is text, and an image in it does not end the head. ``also`` reads the document too.
    ``tags`` is the number of ``<`` in the body, if known.
    """
    document, detect = _prepare_document(body, charset)
    length = parsable_length(document, tags if document is body else None)
    parser = _parse(document[:length], detect=detect)
    html = Html(lang=_lang(parser.root), truncated=length < len(document))
    html.encoding = _query_encoding(body, charset)
    elements = find_elements(parser, _TAGS if also is None else _TAGS_AND_LINKS)
    for name, read in _READERS.items():
        for node in elements[name][:MAX_ELEMENTS]:
            read(html, node)
    if anchors:
        html.anchors = [address_of(node.attributes) or "" for node in select(parser, _ANCHORS)]
    kinds = [(_script_type(node), node) for node in elements["script"]]
    html.assets += _sources(elements["script"][:MAX_ASSETS])
    scripts = [node for kind, node in kinds if _is_javascript(kind)]
    html.scripts, html.set_by_script = len(scripts), _find_written(scripts)
    html.noscript_refreshes = read_noscript_refreshes(elements["noscript"])
    if html.noscript_refreshes:
        html.script_addresses = find_addresses(scripts)
    json_ld = [node for kind, node in kinds if kind == JSON_LD]
    html.dates_modified = read_dates_modified(document[:length], html.dates_modified, json_ld)
    if also is not None:
        also(parser, html, elements)
    # Last: it removes elements from the document.
    html.text = read_main_text(parser, elements)
    return html


def _script_type(node: LexborNode) -> str:
    """Return the type of a script in lower case; that of JavaScript if it has none."""
    attributes = node.attributes
    return (attributes["type"] or "").lower() if "type" in attributes else _JAVASCRIPT


def _sources(scripts: list[LexborNode]) -> Iterator[str]:
    """Yield the addresses of scripts."""
    return filter(None, (node.attributes.get("src") for node in scripts))


def _is_javascript(kind: str) -> bool:
    """Return whether a browser executes scripts of a type."""
    return kind == _MODULE or _JAVASCRIPT in kind


def _find_written(scripts: list[LexborNode]) -> list[str]:
    written = {
        _ROBOTS if name.lower() in _ROBOTS_NAMES else name.lower()
        for script in scripts
        for name in _WRITTEN_ELEMENT.findall(script.text())
    }
    return sorted(written)


def decode_html(body: bytes, charset: str | None) -> str:
    """Return the part of a document that is parsed, as text; ``charset`` as in ``read_html``."""
    document, detect = _prepare_document(body, charset)
    length = parsable_length(document, None)
    encoding = (detect and _query_encoding(body, charset)) or "utf-8"
    return document[:length].decode(encoding, errors="replace")


def states_encoding(body: bytes, charset: str | None) -> bool:
    """Return whether a document states its encoding; ``charset`` is from Content-Type."""
    begins = body.startswith(tuple(BYTE_ORDER_MARKS))
    return bool(charset) or begins or _DECLARED_CHARSET.search(body[:1024]) is not None


def _prepare_document(body: bytes, charset: str | None) -> tuple[bytes, bool]:
    """Return the bytes to parse, and whether to detect their encoding; otherwise it is UTF-8."""
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if body.startswith(mark):
            body, charset = body.removeprefix(mark), encoding.lower()
            break
    if charset and charset not in _UTF_8:
        try:
            if codecs.lookup(charset).name not in _PYTHON_CODECS:
                text = body.decode(charset, errors="replace")
                return text.encode(errors="replace"), False
        except (LookupError, ValueError):  # Not an encoding, or not a text encoding.
            pass
    # selectolax looks up whatever the document declares in the codecs of Python.
    return body, charset not in _UTF_8 and not _DECLARES_PYTHON_CODEC.search(body[:1024])


def _query_encoding(body: bytes, charset: str | None) -> str:
    """Return the codec of queries in a document; empty for UTF-8, which is also that for UTF-16."""
    if body.startswith(tuple(BYTE_ORDER_MARKS)):
        return ""
    if charset is None:
        declared = _DECLARED_CHARSET.search(body[:1024])
        charset = declared[1].decode() if declared else None
    try:
        name = codecs.lookup(charset).name if charset else "utf-8"
    except (LookupError, ValueError):
        return ""
    is_utf = name.startswith("utf") or name in _PYTHON_CODECS
    return "" if is_utf else _BROWSER_CODECS.get(name, name)


def _parse(document: bytes, *, detect: bool) -> LexborHTMLParser:
    try:
        return LexborHTMLParser(document, scripting=True, encoding=detect)
    except UnicodeError:
        return LexborHTMLParser(document, scripting=True)


def _lang(root: LexborNode | None) -> str | None:
    return (cut((root.attributes.get("lang") or "").strip()) or None) if root else None


def _read_title(html: Html, node: LexborNode) -> None:
    if html.title is None and not is_foreign(node):
        html.title = _join_lines(node.text())


def _read_h1(html: Html, node: LexborNode) -> None:
    if html.h1 is None:
        html.h1 = _join_lines(node.text())


def _read_meta(html: Html, node: LexborNode) -> None:
    get = node.attributes.get
    name, content = get("name") or "", get("content") or ""
    html.metas.append((name, get("http-equiv") or "", content))
    if MODIFIED_TIME in (name.lower(), (get("property") or "").lower()):
        html.dates_modified.append(content)


def _read_link(html: Html, node: LexborNode) -> None:
    attributes = node.attributes
    relations = (attributes.get("rel") or "").lower()
    if len(html.assets) < MAX_ASSETS:
        html.assets.append(attributes.get("href") or "")
    if any(relation in relations for relation in _RELATIONS):  # Most are style sheets and icons.
        html.links.append(LinkElement(relations.split(), attributes, _in_head(node)))


def _read_base(html: Html, node: LexborNode) -> None:
    attributes = node.attributes
    if html.base is None and "href" in attributes and not is_foreign(node):
        html.base = attributes["href"]


_READERS: Final = {
    "title": _read_title,
    "h1": _read_h1,
    "meta": _read_meta,
    "link": _read_link,
    "base": _read_base,
}
_NAMES: Final = (*_READERS, *WITHOUT_TEXT, *FRAME)
_TAGS: Final = number_names(_NAMES)
_TAGS_AND_LINKS: Final = number_names((*_NAMES, *LINK_NAMES))


def _in_head(node: LexborNode) -> bool:
    """Return whether the parser left the element in the head, wherever the source closes it."""
    parent = node.parent
    return parent is not None and parent.tag == "head"


def _join_lines(text: str) -> str:
    return cut(" ".join(text.split()))
