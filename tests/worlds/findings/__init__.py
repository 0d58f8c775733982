"""The findings of an audit, predicted by plain Python from the model of a website.

Each function of a module is the prediction of one rule, and has its name.
"""

from collections.abc import Callable, Iterator, Mapping
from inspect import getmembers, isfunction
from types import ModuleType
from typing import Final

from tests.worlds.findings import entries, pages, robots, site, sitemaps
from tests.worlds.findings.seen import Found, Seen

Prediction = Callable[[Seen], Iterator[Found]]


def _predictions(module: ModuleType) -> dict[str, Prediction]:
    """Return the predictions of a module by the id of their rule."""
    return {
        name.replace("_", "-"): function
        for name, function in getmembers(module, isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }


PREDICTIONS: Final[Mapping[str, Prediction]] = {
    rule: prediction
    for module in (robots, sitemaps, entries, pages, site)
    for rule, prediction in _predictions(module).items()
}
"""The predictions by the id of the rule. Rules without one must find nothing."""

NOT_PREDICTED: Final = frozenset({"audit-incomplete", "links-inconclusive"})
"""The rules about the whole audit, which has several websites."""

ALONE: Final = frozenset({"orphan-no-inlinks", "orphan-unreachable"})
"""Rules that need all links of an audit: of several websites, those of one are always unknown."""


def predict(seen: Seen) -> Iterator[tuple[str, Found]]:
    """Yield the rule and the place of each finding on a website."""
    for rule, prediction in PREDICTIONS.items():
        for found in prediction(seen):
            yield rule, found
