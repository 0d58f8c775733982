"""Configuration of Sphinx. ``make docs`` builds offline, and a warning is an error."""

import sys
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import generated
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

from sitemapaudit import __version__

project = "sitemapaudit"
author = "The sitemapaudit developers"
copyright = f"2026, {author}"  # noqa: A001
release = version = __version__

extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_block", "deflist", "smartquotes"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_generated", "requirements.txt"]
templates_path: list[str] = []
suppress_warnings: list[str] = []
nitpicky = True

html_theme = "furo"
html_title = f"sitemapaudit {version}"
html_static_path: list[str] = []
html_copy_source = False
html_show_sphinx = False


def setup(app: Sphinx) -> None:
    """Write the generated pages before Sphinx reads them."""
    generated.write(Path(__file__).parent)
    app.add_search_language(SearchOnceStemmed)
    # The theme makes the sidebar with the default priority, 500.
    app.connect("html-page-context", limit_sidebar, priority=400)


class SearchOnceStemmed(SearchEnglish):
    """The search of English words, which stems each word once and not once per page."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self.stem = cache(self.stem)


def limit_sidebar(
    _app: Sphinx, page: str, _template: str, context: dict[str, Any], _document: object
) -> None:
    """Give the theme a list of pages without those of the rules.

    The pages of a folder that are below the same page have the same list, which marks that page. To
    make it takes longer than the rest of the page.
    """
    make = context.get("toctree")
    if not make:
        return
    parents = tuple(parent["link"] for parent in context["parents"])

    def toctree(**options: Any) -> str:
        options["maxdepth"] = 1
        if not parents:
            return make(**options)
        key = (page.rpartition("/")[0], *parents)
        if key not in _sidebars:
            _sidebars[key] = mark_current(make(**options), parents)
        return _sidebars[key]

    context["toctree"] = toctree


def mark_current(sidebar: str, links: tuple[str, ...]) -> str:
    """Mark the items with these links as those where the reader is."""
    for link in links:
        item = f'"><a class="reference internal" href="{link}">'
        sidebar = sidebar.replace(item, f" current{item}")
    return sidebar


_sidebars: dict[tuple[str, ...], str] = {}
