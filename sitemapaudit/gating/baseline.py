"""A baseline: findings that are known, in a small file that people review and keep."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from sitemapaudit.gating.findings import GateFinding

NAME: Final = ".sitemapaudit-baseline.json"
VERSION: Final = 1

MAX_PLACES: Final = 1_000
"""Places of a rule that are named; of more, only their number is known."""


@dataclass(slots=True, frozen=True)
class Baseline:
    """The known places of each rule; of a rule with very many places, only their number."""

    places: Mapping[str, Counter[str]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, findings: Iterable[GateFinding], most: int = MAX_PLACES) -> Self:
        """Return a baseline that knows these findings."""
        places: dict[str, Counter[str]] = {}
        for finding in findings:
            places.setdefault(finding.rule, Counter())[finding.place] += finding.number
        long = {rule: known.total() for rule, known in places.items() if len(known) > most}
        return cls({rule: places[rule] for rule in places if rule not in long}, long)

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a baseline. Raises OSError, and ValueError with a sentence."""
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            version = content["version"]
            rules: dict[str, dict[str, Any]] = content["rules"]
            known = cls(
                {rule: Counter(each["places"]) for rule, each in rules.items() if "places" in each},
                {rule: each["count"] for rule, each in rules.items() if "places" not in each},
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{file} is not a baseline: {error}") from None
        if version != VERSION:
            raise ValueError(f"{file} has the version {version}, and this program reads {VERSION}")
        return known

    def text(self) -> str:
        """Return the content of the file: sorted, one place per line."""
        rules = {
            rule: {"count": known.total(), "places": dict(sorted(known.items()))}
            for rule, known in self.places.items()
        }
        rules |= {rule: {"count": count} for rule, count in self.counts.items()}
        content = {"version": VERSION, "rules": dict(sorted(rules.items()))}
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def new(self, findings: Iterable[GateFinding]) -> list[GateFinding]:
        """Return the findings that the baseline does not know.

        Of a rule whose places it does not name, all are new if there are more than it counts.
        """
        found = list(findings)
        totals: Counter[str] = Counter()
        for finding in found:
            totals[finding.rule] += finding.number
        return [each for each in found if not self._knows(each, totals)]

    def stale(self, findings: Iterable[GateFinding]) -> list[tuple[str, str]]:
        """Return rule and place of what the baseline knows and nobody finds any more."""
        found = {finding.key for finding in findings}
        rules = {rule for rule, _ in found}
        gone = [
            (rule, place)
            for rule, known in self.places.items()
            for place in known
            if (rule, place) not in found
        ]
        return sorted([*gone, *((rule, "") for rule in self.counts if rule not in rules)])

    def _knows(self, finding: GateFinding, totals: Mapping[str, int]) -> bool:
        if finding.rule in self.counts:
            return totals[finding.rule] <= self.counts[finding.rule]
        return finding.rule in self.places and finding.place in self.places[finding.rule]
