"""The private API of Scrapy and aiohttp: all of it exists, and three modules use it.

The modules are read as text: if a name that one imports is gone, importing it fails without naming
the others.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

from tests.support.paths import PROJECT

ENGINE = PROJECT / "sitemapaudit" / "engine"
FILES = [ENGINE / f"{name}.py" for name in ("private_api", "quick_scrapy", "quick_aiohttp")]
DOCUMENTED = {("scrapy.core.downloader.handlers.base", "BaseDownloadHandler")}
"""Names in Scrapy's core that its documentation names."""


def parse(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def read_relied_on(file: Path) -> dict[str, tuple[str, ...]]:
    """Return the value of ``RELIED_ON`` of a module."""
    (value,) = (
        node.value
        for node in parse(file).body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id == "RELIED_ON"
        and node.value is not None
    )
    relied_on: dict[str, tuple[str, ...]] = ast.literal_eval(value)
    return relied_on


RELIED_ON = [
    (file, owner, name)
    for file in FILES
    for owner, names in read_relied_on(file).items()
    for name in names
]


def find(path: str) -> Any:
    """Return a module or a class by its full name; None if it does not exist."""
    try:
        return import_module(path)
    except ModuleNotFoundError:
        module, _, name = path.rpartition(".")
        return getattr(import_module(module), name, None)


def has(owner: Any, name: str) -> bool:
    """Return whether a module, a class, or the instances of a class have a name."""
    if isinstance(owner, ModuleType) or hasattr(owner, name):
        return hasattr(owner, name)
    return any(name in set(instance_attributes(base)) for base in inspect.getmro(owner)[:-1])


def instance_attributes(owner: type) -> Iterator[str]:
    """Yield the names that a class annotates, or that its methods assign to ``self``."""
    yield from inspect.get_annotations(owner)
    for node in ast.walk(ast.parse(dedent(inspect.getsource(owner)))):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            yield node.attr


@pytest.mark.parametrize(
    ("file", "owner", "name"),
    RELIED_ON,
    ids=[f"{file.stem}-{owner}.{name}" for file, owner, name in RELIED_ON],
)
def test_everything_relied_on_exists(file: Path, owner: str, name: str) -> None:
    found = find(owner)
    assert found is not None, f"{owner} no longer exists, but {file} relies on it"
    assert has(found, name), f"{owner} no longer has {name}, but {file} relies on it"


def test_a_missing_name_is_noticed() -> None:
    assert find("scrapy.core.downloader.NoSuchClass") is None
    assert not has(find("scrapy.core.downloader"), "no_such_name")
    assert has(find("scrapy.core.downloader.Downloader"), "slots")
    assert not has(find("scrapy.core.downloader.Downloader"), "no_such_name")


def private_imports(file: Path) -> set[tuple[str, str]]:
    """Return module and name of each undocumented import from Scrapy, Twisted or aiohttp."""
    return {
        (node.module, alias.name)
        for node in ast.walk(parse(file))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
        if is_private(node.module, alias.name)
    } - DOCUMENTED


def is_private(module: str, name: str) -> bool:
    if not re.match(r"(scrapy|twisted|aiohttp)\b", module):
        return False
    return module.startswith("scrapy.core.") or "._" in f"{module}.{name}"


def test_no_other_module_imports_private_names() -> None:
    package = (PROJECT / "sitemapaudit").rglob("*.py")
    found = {
        str(file.relative_to(PROJECT)): names
        for file in package
        if file not in FILES and (names := private_imports(file))
    }
    assert found == {}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_private_import_is_listed(file: Path) -> None:
    listed = read_relied_on(file)
    names = {(owner, name) for owner, names in listed.items() for name in names}
    assert private_imports(file) <= {tuple(owner.rsplit(".", 1)) for owner in listed} | names


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_private_attribute_is_listed(file: Path) -> None:
    own = {"_received", "_limit"}
    used = {
        node.attr
        for node in ast.walk(parse(file))
        if isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr)
    }
    assert used - own <= {name for names in read_relied_on(file).values() for name in names}
