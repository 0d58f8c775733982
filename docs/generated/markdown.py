"""Parts of Markdown pages."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def bullets(items: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(f"- {item}" for item in items)


def contents(titles: Iterable[str]) -> str:
    """Return a line with a link to each of the sections."""
    return " · ".join(f"[{title}](#{anchor(title)})" for title in titles)


def anchor(title: str) -> str:
    """Return the anchor of a section with a title."""
    return title.lower().replace(" ", "-").replace(".", "")


def code(words: Iterable[str], last: str = ", ") -> str:
    """Return a list of words as code; ``last`` precedes the last one."""
    *others, final = (f"`{word}`" for word in words)
    return f"{', '.join(others)}{last}{final}" if others else final


def docstring(definition: object) -> str:
    """Return the docstring of a definition as one line of Markdown."""
    return _one_line(inspect.getdoc(definition) or "")


def first_paragraph(text: str) -> str:
    """Return the first paragraph of a docstring as one line of Markdown."""
    return _one_line(text.partition("\n\n")[0])


def _one_line(text: str) -> str:
    return as_markdown(" ".join(text.split()))


def as_markdown(text: str) -> str:
    """Return the text of a docstring, whose code has two backticks, as Markdown."""
    return re.sub("``(.+?)``", r"`\1`", text)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
