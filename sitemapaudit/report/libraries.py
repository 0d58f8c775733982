"""Reads Plotly.js, which draws the charts, and DataTables, which makes tables interactive.

The Python packages ``plotly`` and ``itables`` contain them. Only files are read; neither package
is imported.
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
    """The libraries of a page; ``unused_styles`` are the ids of style elements that it prevents."""

    plotly: str
    datatables: str
    css: str
    unused_styles: tuple[str, ...]


@cache
def read_libraries() -> Libraries:
    """Read the texts of the libraries."""
    plotly = _text("plotly", "package_data/plotly.min.js")
    return Libraries(
        plotly=_inline(plotly),
        datatables=_inline(_as_global(_text("itables", "html/dt_bundle.js"))),
        css=_text("itables", "html/dt_bundle.css"),
        # Plotly adds the styles of its maps unless elements with these ids exist.
        unused_styles=tuple(dict.fromkeys(_STYLE_ID.findall(plotly))),
    )


def _text(package: str, name: str) -> str:
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(f"the report needs the package {package}", name=package)
    text = Path(found.submodule_search_locations[0], name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")


def _as_global(module: str) -> str:
    """Return a module that assigns its default export to ``window.DataTable``."""
    *_, clause = _EXPORTS.finditer(module)
    names = (each.split(" as ") for each in clause[1].split(","))
    default = next(inner for inner, outer in names if outer == "default")
    return f"{module[: clause.start()]}\nwindow.DataTable = {default};\n{module[clause.end() :]}"


def _inline(script: str) -> str:
    """Return an equivalent script that cannot end its element."""
    return re.sub(r"<(?=/?script|!--)", r"\\x3C", script, flags=re.IGNORECASE)
