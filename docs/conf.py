"""Configuration of Sphinx. ``make docs`` builds offline, and a warning is an error."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import generated
from sphinx.application import Sphinx

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


SIDEBAR_DEPTH = 1
"""Levels of the sidebar: the second is a list of all rules beside every page."""


def setup(app: Sphinx) -> None:
    """Write the generated pages before Sphinx reads them."""
    generated.write(Path(__file__).parent)
    # The theme makes the sidebar with the default priority, 500.
    app.connect("html-page-context", limit_sidebar, priority=400)


def limit_sidebar(
    _app: Sphinx, page: str, _template: str, context: dict[str, Any], _document: object
) -> None:
    """Give the theme a list of pages that is not deeper than the limit.

    Pages below the same one, as those of rules, have the same list: to make it takes longer than
    the rest of the page.
    """
    make = context.get("toctree")
    if not make:
        return
    parents = tuple(parent["link"] for parent in context["parents"])

    def toctree(**options: Any) -> str:
        options["maxdepth"] = SIDEBAR_DEPTH
        key = (*parents, page.rpartition("/")[0], *sorted(options.items()))
        if not parents:
            return make(**options)
        if key not in _sidebars:
            _sidebars[key] = make(**options)
        return _sidebars[key]

    context["toctree"] = toctree


_sidebars: dict[tuple[Any, ...], str] = {}
