"""The main text of a page: its content without navigation, header and footer."""

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain, islice
from typing import Final

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapaudit.pages.fingerprint import fingerprint
from sitemapaudit.pages.selecting import has_ancestor, select, select_first

LITTLE_TEXT_WORDS: Final = 50
"""A page with fewer words in its main text may be filled by scripts."""

WITHOUT_TEXT: Final = (
    "script", "style", "template", "noscript", "svg", "iframe", "object", "dialog",
)  # fmt: skip
"""Elements with content that does not count as text."""

_MAIN: Final = "main, [role=main]"
FRAME: Final = {
    "nav": "main, header, footer",
    "aside": "main, header, footer",
    "form": "main, article, header, footer, nav, h1",
    "header": "main, article, header, footer",
    "footer": "main, article, header, footer",
}
"""Elements that frame the content, unless they contain one of these: then they were not closed, or
wrap the whole page."""

_MAX_FRAMES: Final = 500
"""Such elements that are checked; more would take seconds."""

_SECTIONS: Final = frozenset({"article", "main", "section"})
"""A header or footer of these belongs to the content (HTML Standard, "The header element")."""

_MAX_KNOWN: Final = 4_096
"""Main texts that are remembered by their hash."""

# Writing systems without spaces between words: each character counts as a word.
_UNSPACED: Final = re.compile(
    "[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]"
)


class MainText(Struct, frozen=True):
    """The words of the main text; its hash and fingerprint, if there is one."""

    words: int = 0
    hash: str | None = None
    fingerprint: str | None = None


_known: dict[str, MainText] = {}


def read_main_text(
    parser: LexborHTMLParser, elements: Mapping[str, Sequence[LexborNode]]
) -> MainText:
    """Read the text of ``main``, or of a body without it, but not what frames the content.

    ``elements`` are those of the names ``WITHOUT_TEXT`` and ``FRAME``, by name. This changes the
    tree: nothing else may be read from it afterwards.
    """
    for name in WITHOUT_TEXT:
        _remove(elements[name])
    framing = islice(chain.from_iterable(map(elements.__getitem__, FRAME)), _MAX_FRAMES)
    _remove([element for element in framing if _frames(element)])
    words = _find_words(parser)
    if not words:
        return MainText()
    text = " ".join(words)
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    if digest not in _known:
        if len(_known) == _MAX_KNOWN:
            _known.clear()
        counted = _split_unspaced(words, text)
        _known[digest] = MainText(len(counted), digest, fingerprint(counted))
    return _known[digest]


def _remove(elements: Iterable[LexborNode]) -> None:
    for element in elements:
        element.decompose(recursive=False)


def _frames(node: LexborNode) -> bool:
    """Return whether an element is only a frame of the content, and does not contain it."""
    name = node.tag or ""
    if name in ("header", "footer") and has_ancestor(node, _SECTIONS):
        return False
    return all(found == node for found in select(node, FRAME[name]))  # It finds the node too.


def _find_words(parser: LexborHTMLParser) -> list[str]:
    """Return the words of ``main``; if it is empty, those of the body, unless they are few."""
    main = select_first(parser, _MAIN)
    words = _words_of(main or parser.body)
    if main is None or words:
        return words
    outside = _words_of(parser.body)
    return outside if len(outside) >= LITTLE_TEXT_WORDS else []


def _words_of(node: LexborNode | None) -> list[str]:
    # White space between elements, a tenth of the text, is skipped.
    return node.text(separator=" ", skip_empty=True).split() if node else []


def _split_unspaced(words: list[str], text: str) -> list[str]:
    """Return the words; without spaces between words, each character is a word."""
    if _is_western(text) or not _UNSPACED.search(text):
        return words
    return _UNSPACED.sub(r" \g<0> ", text).split()


def _is_western(text: str) -> bool:
    """Return whether a text has only characters of ISO 8859-1, which is a fast check."""
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True
