"""Oracles: other programs, and data of other tests, that answer what we answer.

One module is one kind of question. ``make oracles`` installs the programs, asks them random cases,
and prints how many answers are equal; see README.md.
"""

import pkgutil
from collections.abc import Sequence
from importlib import import_module

from tests.oracles.oracle import Comparison

_NOT_KINDS = ("__main__", "oracle")


def kinds() -> dict[str, Sequence[Comparison]]:
    """Return the comparisons of each kind, by the names of their modules."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    modules = {
        name: import_module(f"{__name__}.{name}")
        for name in names
        if name not in _NOT_KINDS and not name.startswith("test_")
    }
    return {name: module.COMPARISONS for name, module in modules.items()}
