"""Builds the documentation with the theme of the project, and without most sidebars.

A sidebar lists all rules: two thirds of a build are the sidebars of the pages of these rules.
"""

import sys
from typing import Any

from sphinx.application import Sphinx

from tests.support import PROJECT

DOCS = PROJECT / "docs"
WITH_SIDEBAR = ("index", "how-to/compare", "rules/index", "rules/page-not-found")


def leave_out_sidebar(
    app: Sphinx, page: str, template: str, context: dict[str, Any], document: object
) -> None:
    """Give the theme no list of pages."""
    if page not in WITH_SIDEBAR:
        context["toctree"] = lambda **_options: ""


def main() -> int:
    """Build into the folder of the first argument; a warning is an error."""
    folder = sys.argv[1]
    app = Sphinx(
        DOCS, DOCS, folder, f"{folder}/.doctrees", "html", status=None, warningiserror=True
    )
    # The theme makes the sidebar with the default priority, 500.
    app.connect("html-page-context", leave_out_sidebar, priority=400)
    app.build()
    return app.statuscode


if __name__ == "__main__":
    sys.exit(main())
