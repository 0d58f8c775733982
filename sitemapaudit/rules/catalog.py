"""Every rule, found by walking the folders of rules: nothing is registered.

Packages of a user's own rules (AUDIT_RULE_MODULES) are walked in the same way.
"""

import fnmatch
import pkgutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from sitemapaudit import rules
from sitemapaudit.items import Subject
from sitemapaudit.rules.laws import unusable
from sitemapaudit.rules.rule import ComparisonRule, Rule

Catalog = Mapping[str, type[Rule]]
"""Rules by id."""


class RuleModuleError(ValueError):
    """A package of rules cannot be used; the message is the rest of a sentence."""


def catalog(modules: tuple[str, ...] = ()) -> Catalog:
    """Return the rules by id, in the order of the subjects and then of the alphabet.

    ``modules`` are packages of rules in addition to the built-in ones. Raises RuleModuleError.
    """
    return _catalog(modules)


@cache  # It takes a call with the default and one with the same value for different calls.
def _catalog(modules: tuple[str, ...]) -> Catalog:
    found = [rule for subject in Subject for rule in _builtin_rules(subject)]
    known = {rule.id: rule for rule in found}
    for name in modules:
        for rule in _rules_below(_import_package(name)):
            if rule.id in known:
                raise RuleModuleError(f"{name} defines the rule {rule.id}, which already exists")
            known[rule.id] = rule
    order = list(Subject)
    return dict(sorted(known.items(), key=lambda pair: (order.index(pair[1].subject), pair[0])))


def single_run_rules(rules: Catalog) -> Catalog:
    """Return the rules that check one run: all but those that compare two."""
    return {name: rule for name, rule in rules.items() if not issubclass(rule, ComparisonRule)}


def _builtin_rules(subject: Subject) -> Iterator[type[Rule]]:
    package = import_module(f"{rules.__name__}.{subject}")
    for module in pkgutil.iter_modules(package.__path__):
        yield _only_rule(import_module(f"{package.__name__}.{module.name}"))


def _import_package(name: str) -> ModuleType:
    folder = str(Path.cwd())
    if folder not in sys.path:
        # Unlike Python itself, installed commands do not look for modules in the current folder.
        sys.path.append(folder)
    try:
        package = import_module(name)
    except Exception as error:
        raise _not_imported(name, error) from error
    if not hasattr(package, "__path__"):
        raise RuleModuleError(f"{name} is a module, not a package with a file per rule")
    return package


def _rules_below(package: ModuleType) -> Iterator[type[Rule]]:
    found = False
    # The walk imports the packages below; if that fails, importing it again raises the error.
    walk = pkgutil.walk_packages(package.__path__, f"{package.__name__}.", _import_rule)
    for module in walk:
        if not module.ispkg:
            found = True
            rule = _only_rule(_import_rule(module.name))
            _check_usable(rule)
            yield rule
    if not found:
        raise RuleModuleError(f"{package.__name__} contains no rules")


def _import_rule(name: str) -> ModuleType:
    try:
        return import_module(name)
    except Exception as error:
        raise _not_imported(name, error) from error


def _not_imported(name: str, error: Exception) -> RuleModuleError:
    kind = "" if isinstance(error, ImportError) else f"{type(error).__name__}: "
    return RuleModuleError(f"{name} cannot be imported ({kind}{error})")


def _only_rule(module: ModuleType) -> type[Rule]:
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Rule)
        and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise RuleModuleError(f"{module.__name__} defines {len(found)} rules instead of one")
    if not isinstance(getattr(found[0], "subject", None), Subject):
        subjects = ", ".join(Subject)
        raise RuleModuleError(
            f"the rule of {module.__name__} has no subject: put its file into a folder named"
            f" {subjects}, or set the attribute subject to a Subject"
        )
    return found[0]


def _check_usable(rule: type[Rule]) -> None:
    problem = next(unusable(rule), None)
    if problem is not None:
        raise RuleModuleError(f"the rule of {rule.__module__} cannot be used: {problem}")


def by_rule(chosen: Mapping[str, str], rules: Iterable[str]) -> dict[str, str]:
    """Return what is chosen for each rule; in a name, ``*`` stands for any characters.

    A later pattern takes precedence over an earlier one, and a name over both.
    """
    patterns = {name: value for name, value in chosen.items() if "*" in name}
    found = {
        rule: value
        for pattern, value in patterns.items()
        for rule in fnmatch.filter(rules, pattern)
    }
    return found | {name: value for name, value in chosen.items() if name not in patterns}
