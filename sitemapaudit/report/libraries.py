"""Plotly.js draws the charts, DataTables the tables: both as Python packages ship them.

Plotly's is in ``plotly``, DataTables' in ``itables``. Only their files are read: neither
package is imported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_EXPORTS: Final = re.compile(r"\bexport ?\{([^{}]*)\};?")
_STYLE_ID: Final = re.compile(r'getElementById\("([0-9a-f]{64})"\)')


@dataclass(slots=True, frozen=True)
class Libraries:
    """What the page has from others; ``unused_styles`` are the ids of those that it refuses."""

    plotly: str
    datatables: str
    css: str
    unused_styles: tuple[str, ...]


@cache
def libraries() -> Libraries:
    """Return the text of the libraries."""
    plotly = _text("plotly", "package_data/plotly.min.js")
    return Libraries(
        plotly=_inline(plotly),
        datatables=_inline(_as_global(_text("itables", "html/dt_bundle.js"))),
        css=_text("itables", "html/dt_bundle.css"),
        # Plotly would bring the styles of its maps along, unless elements of these ids are there.
        unused_styles=tuple(dict.fromkeys(_STYLE_ID.findall(plotly))),
    )


def _text(package: str, name: str) -> str:
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"the report needs the package {package}", name=package)
    text = Path(found.submodule_search_locations[0], name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")


def _as_global(module: str) -> str:
    """Return a module that lays its default export on the window, for other scripts of a page."""
    *_, clause = _EXPORTS.finditer(module)
    names = (each.split(" as ") for each in clause[1].split(","))
    default = next(inner for inner, outer in names if outer == "default")
    return f"{module[: clause.start()]}\nwindow.DataTable = {default};\n{module[clause.end() :]}"


def _inline(script: str) -> str:
    """Return a script that means the same, and cannot end its element."""
    return re.sub(r"<(?=/?script|!--)", r"\\x3C", script, flags=re.IGNORECASE)
