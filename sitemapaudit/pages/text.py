"""The main text of a page: what a reader came for, without the frame around it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapaudit.pages.fingerprint import fingerprint

_FRAME: Final = [
    "script", "style", "template", "noscript", "svg", "iframe", "object",
    "nav", "header", "footer", "aside", "form", "dialog",
]  # fmt: skip
_MAIN: Final = "main, [role=main]"
# Scripts that write words without spaces between them: each character counts.
_UNSPACED: Final = re.compile(
    "[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]"
)


@dataclass(slots=True)
class MainText:
    """Words of the main text, and hash and fingerprint of it where there is one."""

    words: int = 0
    hash: str | None = None
    fingerprint: str | None = None


def main_text(parser: LexborHTMLParser) -> MainText:
    """Read the main text: that of ``main`` if there is one, else of the body without its frame.

    Changes the tree: nothing else may be read from it afterwards.
    """
    parser.strip_tags(_FRAME)
    node = _main_node(parser)
    words = node.text(separator=" ").split() if node else []
    if not words:
        return MainText()
    text = " ".join(words)
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
    counted = _counted(words, text)
    return MainText(len(counted), digest, fingerprint(counted))


def _main_node(parser: LexborHTMLParser) -> LexborNode | None:
    return parser.css_first(_MAIN) or parser.body


def _counted(words: list[str], text: str) -> list[str]:
    """Return what counts as a word: in scripts without spaces, each character."""
    if text.isascii() or not _UNSPACED.search(text):
        return words
    return _UNSPACED.sub(r" \g<0> ", text).split()
