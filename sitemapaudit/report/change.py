"""What changed since the run before, as far as the two manifests tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.items import Verdict
from sitemapaudit.report.overview import Overview, overview

RULES: Final = 10
"""Rules that are shown, those whose number changed most."""


@dataclass(slots=True, frozen=True)
class Shift:
    """A number then and now; ``worse`` is None where more is neither good nor bad."""

    name: str
    then: int
    now: int
    worse: bool | None = None

    @property
    def change(self) -> int:
        """How many more there are."""
        return self.now - self.then


@dataclass(slots=True, frozen=True)
class Change:
    """The difference to an earlier run."""

    started: str
    complete: bool
    differently_asked: tuple[str, ...]
    then: Overview
    verdicts: tuple[Shift, ...]
    rules: tuple[Shift, ...]
    more_rules: int


def change_since(before: Path, manifest: Manifest) -> Change | None:
    """Return what changed since the run in the folder ``before``; None if it has no manifest."""
    try:
        earlier = Manifest.read(before)
    except (OSError, ValueError):
        return None
    rules = sorted(_rules(earlier, manifest), key=lambda rule: (-abs(rule.change), rule.name))
    return Change(
        started=earlier.started,
        complete=earlier.complete,
        differently_asked=tuple(_differently_asked(earlier, manifest)),
        then=overview(earlier),
        verdicts=tuple(_verdicts(overview(earlier), overview(manifest))),
        rules=tuple(rules[:RULES]),
        more_rules=len(rules[RULES:]),
    )


def _differently_asked(earlier: Manifest, manifest: Manifest) -> Iterator[str]:
    for name in sorted(earlier.arguments.keys() | manifest.arguments.keys()):
        then, now = earlier.arguments.get(name), manifest.arguments.get(name)
        if then != now:
            yield f"{name} was {then or 'empty'}, and is {now or 'empty'}"


def _verdicts(then: Overview, now: Overview) -> Iterator[Shift]:
    numbers = [{row.verdict: row.number for row in each.verdicts} for each in (then, now)]
    for verdict in reversed(Verdict):
        before, after = (each.get(verdict, 0) for each in numbers)
        if before or after:
            more = after > before
            good = verdict is Verdict.INDEXABLE
            worse = None if after == before or verdict.indexable is None else more != good
            yield Shift(verdict, before, after, worse)


def _rules(earlier: Manifest, manifest: Manifest) -> Iterator[Shift]:
    for rule in earlier.rules.keys() | manifest.rules.keys():
        then, now = earlier.rules.get(rule, 0), manifest.rules.get(rule, 0)
        if then != now:
            yield Shift(rule, then, now, now > then)
