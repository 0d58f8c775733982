"""The kinds of hosting: one module or package per kind, whose name is the name of the kind.

A module defines a subclass of ``Hosting``. Its docstring is the documentation of the kind: the
first line says which rules it knows, and ``Sources`` lists where the rules are documented.
"""

import pkgutil
from functools import cache


@cache
def hosting_names() -> tuple[str, ...]:
    """Return the names of all kinds, without importing them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))
