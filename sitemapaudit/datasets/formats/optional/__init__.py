"""The formats of AUDIT_FORMATS: one module per format, whose name is the name of the format.

A module defines ``FILES``, the names of the files, and ``write(export)``, which writes them into
``export.scratch``. Importing a module must work without the packages of its extra.
"""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import Final

EXTRAS: Final[Mapping[str, str]] = {"xlsx": "xlsxwriter"}
"""The formats that need an extra of their name, and the package that the extra installs."""


@cache
def format_names() -> tuple[str, ...]:
    """Return the names of all formats, without importing them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def missing_extra(name: str) -> str | None:
    """Return what to install before a format can be written; None if it can be written."""
    package = EXTRAS.get(name)
    if package is None or find_spec(package) is not None:
        return None
    return f"sitemapaudit[{name}]"
