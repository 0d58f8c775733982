"""The sidebar of the site."""

from __future__ import annotations

from typing import Any, Final

from sphinx.application import Sphinx

_sidebars: Final[dict[tuple[str, ...], str]] = {}


def setup(app: Sphinx) -> None:
    """Change the sidebar; the theme makes it with the default priority, 500."""
    app.connect("html-page-context", _limit, priority=400)


def _limit(
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
            return str(make(**options))
        key = (page.rpartition("/")[0], *parents)
        if key not in _sidebars:
            _sidebars[key] = _mark_current(make(**options), parents)
        return _sidebars[key]

    context["toctree"] = toctree


def _mark_current(sidebar: str, links: tuple[str, ...]) -> str:
    """Mark the items with these links as those where the reader is."""
    for link in links:
        item = f'"><a class="reference internal" href="{link}">'
        sidebar = sidebar.replace(item, f" current{item}")
    return sidebar
