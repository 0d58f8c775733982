"""The packages of the project, in the order in which they import each other."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs.generated.markdown import first_paragraph, table

_PROJECT: Final = Path(__file__).parents[2]
_PACKAGE: Final = _PROJECT / "sitemapaudit"
_INIT: Final = "__init__.py"


def rooms() -> str:
    """Return a row for each package and module, with those first that import no other."""
    files = [file for name in reversed(_names()) for file in _with_inner(name)]
    return table(("package", "contents"), [(f"`{_name(file)}`", _purpose(file)) for file in files])


def _names() -> list[str]:
    """Return the packages and modules in the layers of pyproject.toml, from the top."""
    project = tomllib.loads((_PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each["type"] == "layers")
    return [name for layer in layers for name in reversed(layer.split(" | "))]


def _with_inner(name: str) -> Iterator[Path]:
    """Yield the file of a module, or those of a package and of the packages in it."""
    folder = _PACKAGE / name
    if folder.is_dir():
        yield folder / _INIT
        yield from sorted(folder.glob(f"*/{_INIT}"))
    else:
        yield folder.with_suffix(".py")


def _name(file: Path) -> str:
    place = file.parent if file.name == _INIT else file
    return place.relative_to(_PACKAGE).as_posix()


def _purpose(file: Path) -> str:
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    return first_paragraph(docstring or "").removesuffix(".")
