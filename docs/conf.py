"""Configuration of Sphinx. ``make docs`` builds offline, and a warning is an error."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sphinx.application import Sphinx

from docs.site import markdown, pages, search, sidebar
from sitemapaudit import __version__

project = "sitemapaudit"
author = "The sitemapaudit developers"
copyright = f"2026, {author}"  # noqa: A001
release = version = __version__

extensions = ["myst_parser"]
myst_enable_extensions = ["smartquotes"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
nitpicky = True

html_theme = "furo"
html_title = f"sitemapaudit {version}"
html_copy_source = False
html_show_sphinx = False
html_search_scorer = str(Path(__file__).parent / "site" / "scorer.js")


def setup(app: Sphinx) -> None:
    """Add what makes plain Markdown a website."""
    pages.setup(app)
    search.setup(app)
    sidebar.setup(app)
    markdown.setup(app)
