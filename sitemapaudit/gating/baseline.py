"""A baseline: known findings, in a small file that people review and keep."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self

from msgspec import Struct, field

from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.given_files import read_text
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.schema_version import SCHEMA_VERSION

NAME: Final = ".sitemapaudit-baseline.json"
_VERSION: Final = "schema_version"

MAX_PLACES: Final = 1_000
"""Named places of a rule; if there are more, they are hashed."""

MAX_HASHES: Final = 10_000
"""Hashed places of a rule; if there are more, they are only counted."""


class Baseline(Struct, frozen=True):
    """The number of known findings of each rule at each place.

    A rule with many places has their ``hashes``, and a rule with very many only ``counts``.
    ``checked`` has the editions of the rules that checked the run; None if that is not known.
    """

    places: Mapping[str, Counter[str]] = field(default_factory=dict)
    hashes: Mapping[str, Counter[str]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    checked: Mapping[str, str] | None = None

    @classmethod
    def of(
        cls,
        findings: Iterable[GateFinding],
        named: int = MAX_PLACES,
        hashed: int = MAX_HASHES,
        checked: Mapping[str, str] | None = None,
    ) -> Self:
        """Return a baseline with these findings."""
        hashes: dict[str, Counter[str]] = {}
        names: dict[str, dict[str, str]] = {}
        for finding in findings:
            key = hash_place(finding.place)
            hashes.setdefault(finding.rule, Counter())[key] += 1
            if len(hashes[finding.rule]) <= named:
                names.setdefault(finding.rule, {})[key] = finding.place
        short = {rule for rule, known in hashes.items() if len(known) <= named}
        long = {rule for rule, known in hashes.items() if len(known) > max(named, hashed)}
        return cls(
            {
                rule: Counter({names[rule][key]: number for key, number in hashes[rule].items()})
                for rule in short
            },
            {rule: known for rule, known in hashes.items() if rule not in short | long},
            {rule: hashes[rule].total() for rule in long},
            checked,
        )

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a baseline. Raises OSError, and ValueError with a sentence."""
        try:
            content = json.loads(read_text(file))
            version = content[_VERSION]
            rules: dict[str, dict[str, Any]] = content["rules"]
            known = cls(
                {rule: _counts(each["places"]) for rule, each in rules.items() if "places" in each},
                {rule: Counter(each["hashes"]) for rule, each in rules.items() if "hashes" in each},
                {rule: int(each["count"]) for rule, each in rules.items() if len(each) == 1},
                _editions(content.get("checked")),
            )
        except (
            ArithmeticError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
            AttributeError,
        ):
            raise ValueError(
                f"{file} is not a baseline, which `sitemapaudit baseline` writes"
            ) from None
        if version != SCHEMA_VERSION:
            raise ValueError(
                f"{file} has {_VERSION} {version}; this program reads {SCHEMA_VERSION}"
            )
        return known

    def text(self) -> str:
        """Return the content of the file: sorted, one place per line."""
        rules: dict[str, dict[str, Any]] = {rule: {"count": n} for rule, n in self.counts.items()}
        for rule, known in self.places.items():
            rules[rule] = {"count": known.total(), "places": dict(sorted(known.items()))}
        for rule, known in self.hashes.items():
            rules[rule] = {"count": known.total(), "hashes": sorted(known.elements())}
        content = {_VERSION: SCHEMA_VERSION, "rules": dict(sorted(rules.items()))}
        if self.checked is not None:
            content["checked"] = dict(sorted(self.checked.items()))
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def not_checked(self, run: Manifest) -> set[str]:
        """Return the rules of a run that did not check the run of the baseline, or as others."""
        if self.checked is None:
            return set()
        rules = run.checked_rules
        return {rule for rule in rules if run.rule_edition(rule) != self.checked.get(rule)}


class BaselineMatcher:
    """Matches findings with a baseline one by one, each as often as the baseline contains it."""

    def __init__(self, baseline: Baseline) -> None:
        self._named = baseline.places.keys()
        self._known = {**baseline.places, **baseline.hashes}
        self._remaining = {rule: Counter(known) for rule, known in self._known.items()}
        self._counts = Counter(baseline.counts)

    def knows(self, finding: GateFinding) -> bool:
        """Return whether the baseline contains one more finding like this."""
        rule, place = finding.rule, finding.place
        if rule not in self._known:
            remaining, key = self._counts, rule
        else:
            remaining = self._remaining[rule]
            key = place if rule in self._named else hash_place(place)
        if remaining[key] <= 0:
            return False
        remaining[key] -= 1
        return True

    def stale(self, rules: Iterable[str]) -> dict[str, int]:
        """Return how many places in the baseline have no finding now, per rule."""
        gone = Counter({rule: self._counts[rule] for rule in rules})
        for rule in self._known.keys() & gone.keys():
            known, remaining = self._known[rule], self._remaining[rule]
            gone[rule] = sum(remaining[place] == number for place, number in known.items())
        return {rule: number for rule, number in sorted(gone.items()) if number > 0}


def read_baseline(given: Path | None) -> Baseline | None:
    """Read the given baseline, or that of the working folder; None if the folder has none.

    Raises ValueError with a sentence.
    """
    file = given or Path(NAME)
    try:
        return Baseline.read(file)
    except FileNotFoundError:
        if given is None:
            return None
        raise ValueError(f"--baseline: there is no file {given}") from None
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None


def hash_place(place: str) -> str:
    """Return the hash of a place that a baseline does not name."""
    return blake2b(place.encode(), digest_size=8).hexdigest()


def _editions(checked: Mapping[str, Any] | None) -> dict[str, str] | None:
    return None if checked is None else {rule: str(each) for rule, each in checked.items()}


def _counts(places: Mapping[str, Any]) -> Counter[str]:
    return Counter({place: int(number) for place, number in places.items()})
