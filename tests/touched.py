"""The tests that a change touches, and the laws for all code: prints their paths for pytest.

A change is what differs from the upstream branch or, without one, from the last commit. A module
touches the tests of its own name or, if there are none, those of its folder; the test modules that
import it; and the tests that have the name of a module that imports it.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import grimp

from tests.support.paths import PROJECT

PACKAGE = "sitemapaudit"
LAWS = (
    "tests/test_layering.py",
    "tests/test_package.py",
    "tests/test_requirements.py",
    "tests/docs/test_generated.py",
    "tests/rules/test_rules.py",
    "tests/words",
)


def changed_files() -> set[str]:
    """Return the files that the change adds or edits, relative to the project."""
    upstream = _git("rev-parse", "--verify", "--quiet", "@{upstream}") or ["HEAD"]
    base = _git("merge-base", "HEAD", upstream[0]) or ["HEAD"]
    new = _git("ls-files", "--others", "--exclude-standard")
    return {*_git("diff", "--name-only", "--diff-filter=d", base[0]), *new}


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def touched_tests(files: set[str], graph: grimp.ImportGraph) -> set[str]:
    """Return the test files and folders that these files touch, without the laws."""
    tests: set[str] = set()
    for file in files:
        path = Path(file)
        if path.suffix == ".py" and path.parts[0] in (PACKAGE, "tests"):
            tests.update(_tests_of_file(path, graph))
        elif path.parts[0] == PACKAGE:
            tests.update(_mirror(path))
        elif path.parts[0] == "notebooks" or path.suffix == ".md":
            tests.add("tests/notebooks" if path.parts[0] == "notebooks" else "tests/docs")
    return {test for test in tests if not any(str(up) in tests for up in Path(test).parents)}


def _tests_of_file(path: Path, graph: grimp.ImportGraph) -> Iterator[str]:
    yield from _own_tests(path) or _mirror(path)
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    if module in graph.modules:
        for importer in graph.find_modules_that_directly_import(module):
            yield from _own_tests(Path(*importer.split(".")).with_suffix(".py"))


def _own_tests(path: Path) -> list[str]:
    """Return the test module of a module: itself, if it is one."""
    own = (
        path
        if path.parts[0] == "tests"
        else Path("tests", *path.parent.parts[1:], f"test_{path.name}")
    )
    return [str(own)] if own.name.startswith("test_") and (PROJECT / own).exists() else []


def _mirror(path: Path) -> Iterator[str]:
    """Yield the nearest folder of tests that mirrors the folder of a file."""
    for folder in path.parents:
        mirror = Path("tests", *folder.parts[1:])
        if len(mirror.parts) > 1 and any((PROJECT / mirror).glob("**/test_*.py")):
            yield str(mirror)
            return


def main() -> None:
    """Print the paths."""
    graph = grimp.build_graph(PACKAGE, "tests")
    print(*sorted({*LAWS, *touched_tests(changed_files(), graph)}))


if __name__ == "__main__":
    main()
