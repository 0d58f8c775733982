"""Every rule there is, found by walking the folder."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from sitemapaudit import rules
from sitemapaudit.items import Subject
from sitemapaudit.rules.rule import Comparing, Rule


@cache
def catalogue() -> dict[str, type[Rule]]:
    """Return the rules by id, in the order of the subjects and then of the alphabet."""
    return {rule.id: rule for subject in Subject for rule in _rules_of(subject)}


@cache
def rules_of_a_run() -> dict[str, type[Rule]]:
    """Return those that one run is judged by: all but the few that compare two."""
    return {name: rule for name, rule in catalogue().items() if not issubclass(rule, Comparing)}


def _rules_of(subject: Subject) -> Iterator[type[Rule]]:
    package = import_module(f"{rules.__name__}.{subject}")
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        yield _rule_in(import_module(f"{package.__name__}.{module.name}"))


def _rule_in(module: ModuleType) -> type[Rule]:
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Rule)
        and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise TypeError(f"{module.__name__} holds {len(found)} rules, and ought to hold one")
    return found[0]
