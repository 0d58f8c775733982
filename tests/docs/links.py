"""The links of Markdown pages, and the anchors that they can lead to."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

MARKDOWN = MarkdownIt("commonmark").enable("table")
_NO_ANCHOR = re.compile(r"[^\w\- ]")


def links_of(page: Path) -> list[str]:
    """Return where the links and pictures of a page lead."""
    return [
        str(token.attrs.get("href") or token.attrs.get("src"))
        for token in _inner_tokens(page)
        if token.type in ("link_open", "image")
    ]


def anchors_of(page: Path) -> set[str]:
    """Return the anchors that repositories give to the headings of a page."""
    anchors: Counter[str] = Counter()
    found = set()
    for title in headings_of(page):
        anchor = _NO_ANCHOR.sub("", title.lower()).replace(" ", "-")
        found.add(f"{anchor}-{anchors[anchor]}" if anchors[anchor] else anchor)
        anchors[anchor] += 1
    return found


def headings_of(page: Path) -> list[str]:
    """Return the headings of a page, as readers see them."""
    tokens = _tokens(page)
    return [
        "".join(part.content for part in after.children or ())
        for token, after in pairwise(tokens)
        if token.type == "heading_open"
    ]


def html_of(page: Path) -> list[str]:
    """Return the HTML of a page."""
    tokens = (*_tokens(page), *_inner_tokens(page))
    return [token.content for token in tokens if token.type in ("html_block", "html_inline")]


def _inner_tokens(page: Path) -> Iterator[Token]:
    for token in _tokens(page):
        yield from token.children or ()


def _tokens(page: Path) -> list[Token]:
    return MARKDOWN.parse(page.read_text(encoding="utf-8"))
