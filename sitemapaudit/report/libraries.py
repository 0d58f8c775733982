"""Reads DataTables, which makes tables interactive.

The Python package ``itables`` contains it. Only its files are read; the package is not imported.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from msgspec import Struct

_EXPORTS: Final = re.compile(r"\bexport ?\{([^{}]*)\};?")


class Libraries(Struct, frozen=True):
    """The library of a page: its script, and its styles."""

    datatables: str
    css: str


@cache
def read_libraries() -> Libraries:
    """Read the texts of the library."""
    return Libraries(
        datatables=_inline(_as_global(_text("itables", "html/dt_bundle.js"))),
        css=_text("itables", "html/dt_bundle.css"),
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
