"""The decision as JUnit XML: a test case per rule."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from sitemapaudit.gating.decision import Decision
from sitemapaudit.junit import SUITE, Case, write_junit

NAME: Final = "junit.xml"


def write_decision(decision: Decision, checked: Iterable[str], file: Path) -> None:
    """Write a test case per checked rule, and one for everything else. Raises OSError.

    Findings that fail the gate fail the test case of their rule.
    """
    write_junit(_cases(decision, checked), file, errors=0)


def _cases(decision: Decision, checked: Iterable[str]) -> Iterator[Case]:
    numbers: Counter[str] = Counter()
    for (_, rule), number in decision.counts.items():
        numbers[rule] += number
    for rule in sorted({*checked, *numbers}):
        failure = f"{numbers[rule]:,} found" if numbers[rule] else ""
        yield Case(SUITE, rule, failure, _lines(rule, decision), SUITE)
    yield Case(SUITE, "gate", "; ".join(decision.reasons), decision.reasons, SUITE)


def _lines(rule: str, decision: Decision) -> Iterator[str]:
    for cause in decision.causes:
        if cause.explains({rule}):
            yield f"likely cause: {cause}"
    for each in decision.failing:
        if each.rule == rule:
            yield f"{each.severity}: {each.where}: {each.message}"
