"""Text that Markdown shows literally, without markup, mentions and issue numbers."""

import re
from collections.abc import Callable
from typing import Final

from sitemapaudit.report.embedding import shorten

_SPECIAL: Final = re.compile(r"[\\`*_\[\]<>&#|~!$]")
_MENTION: Final = re.compile(r"(?:@|\\#)(?=\w)")
_SEPARATOR: Final = "&#8203;"
"""A zero-width space: after it, GitHub neither notifies users nor links issues."""

_ROOM: Final = 400
"""Limit for a text of the site, in bytes."""


class Markdown(str):
    """A text that already is Markdown."""

    __slots__ = ()


def escape(value: object, room: int = _ROOM) -> Markdown:
    """Return a text without its Markdown: emphasis, links, HTML, mentions and line breaks.

    A text longer than ``room`` bytes is shortened.
    """
    return value if isinstance(value, Markdown) else _fit(str(value), _escape, room)


def _escape(text: str) -> str:
    escaped = _SPECIAL.sub(r"\\\g<0>", one_line(text))
    return _MENTION.sub(rf"\g<0>{_SEPARATOR}", escaped)


def code(text: str, room: int = _ROOM) -> Markdown:
    """Return a text as code, in which GitHub does not find markup, addresses and mentions."""
    return _fit(text, _code, room)


def _code(text: str) -> str:
    shown = one_line(text) or "-"
    longest = max(map(len, re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def fenced(text: str) -> Markdown:
    """Return lines as a code block, which nothing in them can end."""
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markdown(f"{fence}text\n{text}\n{fence}")


def _fit(text: str, write: Callable[[str], str], room: int) -> Markdown:
    """Return a text in its written form, shortened until it fits."""
    text = shorten(text, room)
    while len((written := write(text)).encode(errors="replace")) > room:
        text = shorten(text, len(text) * 3 // 4)
    return Markdown(written)


def one_line(text: str) -> str:
    """Return a text in one line.

    Characters that break lines, are invisible, or reverse the text around them become spaces.
    """
    if not text.isprintable():
        text = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(text.split())
