"""Configuration of Sphinx. ``make docs`` builds offline, and a warning is an error."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import generated

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


def setup(_app: object) -> None:
    """Write the generated pages before Sphinx reads them."""
    generated.write(Path(__file__).parent)
