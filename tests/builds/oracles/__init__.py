"""Oracles: the programs of hosting companies, and web servers, which answer random requests.

One module is one oracle: a subclass of ``Oracle``. Its answers are recorded in the JSON file of the
same name, one line per case, and the tests compare our replies with them. ``make oracles`` installs
the programs, asks them other random cases, and prints how many replies are equal.
"""

import pkgutil
from importlib import import_module

from tests.builds.oracles.oracle import Oracle


def oracles() -> dict[str, Oracle]:
    """Return all oracles by the names of their modules."""
    names = sorted({module.name for module in pkgutil.iter_modules(__path__)})
    modules = {name: import_module(f"{__name__}.{name}") for name in names}
    kinds = {
        name: kind
        for name, module in modules.items()
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Oracle) and kind.hosting
    }
    return {name: kind() for name, kind in kinds.items()}
