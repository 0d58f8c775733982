"""Imports go one way, the core knows no network and no files, and tests mirror the package."""

import subprocess
import sys
from pathlib import Path

import grimp

from tests.support.paths import PROJECT


def test_imports_go_one_way() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def test_no_test_module_is_imported() -> None:
    """What tests share is in a module of its own: a test module can be moved or removed."""
    graph = grimp.build_graph("tests", cache_dir=None)
    tests = [name for name in graph.modules if name.rpartition(".")[2].startswith("test_")]
    assert {name: graph.find_modules_that_directly_import(name) for name in tests} == {
        name: set() for name in tests
    }


def test_each_package_has_its_folder_of_tests() -> None:
    packages = {file.parent.name for file in PROJECT.glob("sitemapaudit/*/__init__.py")}
    assert packages - {folder.name for folder in PROJECT.glob("tests/*/")} == set()
