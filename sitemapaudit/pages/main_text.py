"""The main text of a page: its content without navigation, header and footer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapaudit.pages.fingerprint import fingerprint

LITTLE_TEXT_WORDS: Final = 50
"""A page with fewer words in its main text may be filled by scripts."""

_FRAME: Final = [
    "script", "style", "template", "noscript", "svg", "iframe", "object",
    "nav", "header", "footer", "aside", "form", "dialog",
]  # fmt: skip
_MAIN: Final = "main, [role=main]"
# Writing systems without spaces between words: each character counts as a word.
_UNSPACED: Final = re.compile(
    "[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]"
)


@dataclass(slots=True)
class MainText:
    """The words of the main text; its hash and fingerprint, if there is one."""

    words: int = 0
    hash: str | None = None
    fingerprint: str | None = None


def read_main_text(parser: LexborHTMLParser) -> MainText:
    """Read the text of ``main``, or of the body if there is no ``main``, without the frame.

    This changes the tree: nothing else may be read from it afterwards.
    """
    parser.strip_tags(_FRAME)
    node = _find_main_node(parser)
    words = node.text(separator=" ").split() if node else []
    if not words:
        return MainText()
    text = " ".join(words)
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    counted = _split_unspaced(words, text)
    return MainText(len(counted), digest, fingerprint(counted))


def _find_main_node(parser: LexborHTMLParser) -> LexborNode | None:
    return parser.css_first(_MAIN) or parser.body


def _split_unspaced(words: list[str], text: str) -> list[str]:
    """Return the words; without spaces between words, each character is a word."""
    if text.isascii() or not _UNSPACED.search(text):
        return words
    return _UNSPACED.sub(r" \g<0> ", text).split()
