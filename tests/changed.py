"""Prints the tests that a change concerns: ``python -m tests.changed [BASE]``, for ``make check``.

The change is what differs from the commit BASE; by default, from where this branch left ``main``.
It concerns all tests of the package that it changes, and the quick tests of the packages that
import what it changes. Tests mirror the package. The laws are concerned by every change.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import grimp

from tests.support.paths import PROJECT

LAWS = (
    "tests.docs.test_readme",
    "tests.items",
    "tests.rules.test_rules",
    "tests.test_layering",
)
"""Test modules, and packages of them, with laws about everything."""

SLOW = ("playwright", "subprocess", "tests.plugins.interpreters.commands")
"""A test that imports one of these, itself or through a module that it uses, is not quick."""


class Tests:
    """The graph of all imports, and the tests in it."""

    def __init__(self) -> None:
        packages = ("sitemapaudit", "tests")
        self._graph = grimp.build_graph(*packages, include_external_packages=True, cache_dir=None)
        self._slow = {
            name for module in SLOW for name in self._graph.find_downstream_modules(module)
        }

    def below(self, *packages: str) -> set[str]:
        """Return the test modules with these names, or in packages with these names."""
        return {
            name
            for name in self._graph.modules
            if is_test(name) and any(f"{name}.".startswith(f"{each}.") for each in packages)
        }

    def quick(self, tests: Iterable[str]) -> set[str]:
        """Return those of the tests that start no process."""
        return set(tests) - self._slow

    def importers(self, module: str) -> set[str]:
        """Return the modules that import this one, also from a package that passes it on."""
        if module not in self._graph.modules:
            return set()
        found = self._graph.find_modules_that_directly_import(module)
        package = module.rpartition(".")[0]
        return found | self.importers(package) if package in found else found

    def users(self, module: str) -> set[str]:
        """Return the tests that import this module, themselves or through others."""
        known = module in self._graph.modules
        return set(filter(is_test, self._graph.find_downstream_modules(module))) if known else set()


def is_test(module: str) -> bool:
    return module.startswith("tests.") and module.rpartition(".")[2].startswith("test_")


def concerned_by(changed: Iterable[Path], tests: Tests) -> set[str]:
    """Return the test modules that a change of these files concerns."""
    found = tests.below(*LAWS)
    for path in changed:
        match path.parts:
            case "tests", folder, *_:
                found |= _concerned_by_test(module_of(path), folder, tests)
            case "sitemapaudit", _, *_:
                found |= _concerned_by_source(module_of(path), tests)
            case "docs" | "notebooks" as folder, *_:
                found |= tests.below(f"tests.{folder}")
    return found


def _concerned_by_source(module: str, tests: Tests) -> set[str]:
    _, room, *_ = module.split(".")
    folder, _, name = module.partition(".")[2].rpartition(".")
    importers = tests.importers(module)
    own = tests.below(".".join(filter(None, ("tests", folder, f"test_{name}"))))
    if importers or not own:
        own |= tests.below(f"tests.{room}")
    rooms = {f"tests.{each.split('.')[1]}" for each in importers if not is_test(each)}
    return own | tests.quick(tests.below(*rooms) | set(filter(is_test, importers)))


def _concerned_by_test(module: str, folder: str, tests: Tests) -> set[str]:
    if is_test(module):
        return tests.below(module)
    return tests.below(f"tests.{folder}", f"tests.test_{folder}") | tests.quick(tests.users(module))


def module_of(path: Path) -> str:
    """Return the name of the module in a file, or of the package if the file is no module."""
    is_module = path.suffix == ".py" and path.stem != "__init__"
    return ".".join(path.with_suffix("").parts if is_module else path.parent.parts)


def changed_files(project: Path, base: str | None = None) -> set[Path]:
    """Return the files that differ from a commit, and those that git does not know yet."""
    base = base or _git(project, "merge-base", "HEAD", "main")[0]
    names = _git(project, "diff", "--name-only", base)
    names += _git(project, "ls-files", "--others", "--exclude-standard")
    return {Path(name) for name in names}


def _git(project: Path, *words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=project, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


if __name__ == "__main__":
    for test in sorted(concerned_by(changed_files(PROJECT, *sys.argv[1:]), Tests())):
        print(f"{test.replace('.', '/')}.py")
