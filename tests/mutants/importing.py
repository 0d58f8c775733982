"""Imports a mutant in the place of a module, in a process that has not imported the package."""

import sys
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType

from tests.mutants.patching import compile_quietly


def module_name(file: str) -> str:
    """Return the name of the module in a file, which is relative to the project."""
    return ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")


class Mutated(MetaPathFinder, InspectLoader):
    """Finds one module, whose code is that of a mutant."""

    def __init__(self, path: Path, name: str, source: str) -> None:
        self._path, self._name, self._source = path, name, source

    def install(self) -> None:
        """Let this process import the mutant."""
        sys.meta_path.insert(0, self)

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        """Return how to import the module; None for any other one."""
        if fullname != self._name:
            return None
        is_package = self._path.name == "__init__.py"
        spec = spec_from_loader(fullname, self, origin=str(self._path), is_package=is_package)
        if spec is not None:
            spec.has_location = True
            if is_package:
                spec.submodule_search_locations = [str(self._path.parent)]
        return spec

    def get_source(self, _: str) -> str:
        """Return the source of the mutant."""
        return self._source

    def get_code(self, _: str) -> CodeType:
        """Return its code."""
        return compile_quietly(self._source, str(self._path))
