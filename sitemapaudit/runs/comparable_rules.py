"""The rules that could check a run, and those that checked two runs in the same way."""

from typing import Final

from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.rules.needs import Choice
from sitemapaudit.rules.rule import Rule
from sitemapaudit.runs.manifest import Manifest

_MISSING: Final = object()


def could_check(manifest: Manifest, rule: type[Rule]) -> bool:
    """Return whether the arguments and settings of a run allow a rule to find anything."""
    return None not in _chosen(manifest, rule).values()


def comparable_rules(run: Manifest, other: Manifest, rules: Catalog) -> set[str]:
    """Return the rules that checked a run, but not those that checked the other differently.

    A rule that failed did not check a run.
    """
    checked, others = _checked(run), _checked(other)
    return {
        name
        for name in checked
        if name not in others or _is_alike(run, other, name, rules.get(name))
    }


def _checked(manifest: Manifest) -> set[str]:
    return {*manifest.checked_rules} - manifest.broken_rules.keys()


def _is_alike(run: Manifest, other: Manifest, name: str, rule: type[Rule] | None) -> bool:
    if run.rule_edition(name) != other.rule_edition(name):
        return False
    if rule is None:
        return True
    chosen, others = _chosen(run, rule), _chosen(other, rule)
    return all(chosen[choice] == others[choice] for choice in chosen.keys() & others.keys())


def _chosen(manifest: Manifest, rule: type[Rule]) -> dict[Choice, object]:
    """Return what a run chose; an option that it lacks is that of another version."""
    values = {choice: _value(manifest, choice.name) for choice in rule.depends_on}
    return {choice: choice.part(value) for choice, value in values.items() if value is not _MISSING}


def _value(manifest: Manifest, name: str) -> object:
    """Return the value of an argument or a setting."""
    recorded = manifest.settings.get(f"AUDIT_{name.upper()}", _MISSING)
    return manifest.arguments.get(name, recorded)
