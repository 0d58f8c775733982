"""Makes pages of the site from plain Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from sphinx.application import Sphinx

_LISTS: Final = ("index", "rules/index")
"""Pages whose sections list other pages: these are below them in the site."""

OF_THE_PROJECT: Final[Mapping[str, str]] = {
    "contributing": "../CONTRIBUTING.md",
    "changelog": "../CHANGELOG.md",
}
"""Pages that stand for a file at the top of the project."""

_SECTION: Final = re.compile(r"^## ", re.MULTILINE)
_PAGE: Final = re.compile(r"\]\(([\w/-]+)\.md\)")


def setup(app: Sphinx) -> None:
    """Change pages before Sphinx reads them."""
    app.connect("source-read", _change)


def _change(_app: Sphinx, page: str, source: list[str]) -> None:
    if page in _LISTS:
        source[0] = with_tree(source[0])
    elif page in OF_THE_PROJECT:
        source[0] = f"```{{include}} {OF_THE_PROJECT[page]}\n:relative-docs: docs/\n```\n"


def with_tree(text: str) -> str:
    """Return a page with a tree for each of its sections that lists pages.

    The contents of the page are its sections only.
    """
    _, *sections = _SECTION.split(text)
    trees = [_tree(*section.split("\n", 1)) for section in sections]
    return "---\ntocdepth: 2\n---\n" + "\n\n".join([text, *filter(None, trees)])


def _tree(title: str, section: str) -> str:
    listed = "\n".join(dict.fromkeys(_PAGE.findall(section)))
    return f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listed}\n```" if listed else ""
