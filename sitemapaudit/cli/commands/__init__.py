"""The commands of the program: one module each, which begins with the summary of the command.

To list them, no module is imported.
"""

from __future__ import annotations

import ast
import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemapaudit.cli.command import BaseCommand


@cache
def command_names() -> tuple[str, ...]:
    """Return the names of all commands."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def summary_of(name: str) -> str:
    """Return one line about a command."""
    spec = find_spec(f"{__name__}.{name}")
    source = spec.loader.get_source(spec.name) if spec and spec.loader else ""  # type: ignore[attr-defined]
    summary = ast.get_docstring(ast.parse(source)) or ""
    return summary.partition("\n")[0].removesuffix(".")


def load_command(name: str) -> BaseCommand:
    """Return a command by its name."""
    command: BaseCommand = import_module(f"{__name__}.{name}").Command()
    return command
