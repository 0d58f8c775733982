"""What changed since the run before: in numbers, and the gravest of it one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import duckdb

from sitemapaudit.comparison.comparing import Comparison
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.items import Verdict
from sitemapaudit.report.embedding import ADDRESS, cut, within
from sitemapaudit.report.findings import evidence
from sitemapaudit.report.overview import Overview, overview
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.rules.rule import Comparing, Rule

RULES: Final = 10
"""Rules that are shown, those whose number changed most."""

ALIKE: Final = 50
"""Changes of the same kind that are shown: of one rule, or from one verdict to another."""

SHOWN: Final = 1_000
"""Changes that are shown."""

BUDGET: Final = 700_000
"""Bytes of the page that they may take."""


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
    comparison: Comparison

    @property
    def number(self) -> int:
        """How many things changed, one by one."""
        return sum(self.comparison.changes.values())


def change_since(comparison: Comparison, manifest: Manifest) -> Change:
    """Return what changed since the earlier run, in numbers."""
    earlier = comparison.earlier
    rules = sorted(_rules(earlier, manifest), key=lambda rule: (-abs(rule.change), rule.name))
    return Change(
        started=earlier.started,
        complete=earlier.complete,
        differently_asked=tuple(_differently_asked(earlier, manifest)),
        then=overview(earlier),
        verdicts=tuple(_verdicts(overview(earlier), overview(manifest))),
        rules=tuple(rules[:RULES]),
        more_rules=len(rules[RULES:]),
        comparison=comparison,
    )


def change_rows(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Return the gravest changes, some of each kind, as many as the page may hold."""
    cursor = connection.execute(
        "select change, coalesce(url, sitemap) as place, before, after, rule, severity, message,"
        " evidence"
        " from (select *, row_number() over () as rank from comparison)"
        " qualify row_number() over"
        f"  (partition by change, rule, before, after order by rank) <= {ALIKE}"
        f" order by rank limit {SHOWN}"
    )
    names = [column[0] for column in cursor.description or []]
    rows = (dict(zip(names, row, strict=True)) for row in cursor.fetchall())
    return within(map(_told, rows), BUDGET)


def _told(row: dict[str, Any]) -> dict[str, Any]:
    row["place"] = row["place"] and cut(row["place"], ADDRESS)
    row["message"] = row["message"] and cut(row["message"])
    row["evidence"] = evidence(row["evidence"])
    return {name: value for name, value in row.items() if value not in (None, [])}


def comparing_rules(rows: list[dict[str, Any]]) -> list[type[Rule]]:
    """Return those of the rules in these rows that compare runs: no other part explains them."""
    named = {row.get("rule") for row in rows}
    rules = (rule for rule in catalogue().values() if issubclass(rule, Comparing))
    return [rule for rule in rules if rule.id in named]


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
