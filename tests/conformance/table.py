"""The table of the documentation: which program passes what."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from tests.conformance.cases import Suite
from tests.conformance.programs import Introduction, Outcome

LEVELS: Final = ("must", "should", "may")


def render_table(suite: Suite, results: Mapping[str, Iterable[Outcome]]) -> str:
    """Return Markdown: a row for each topic and level, a column for each program."""
    names = list(results)
    outcomes = {name: list(found) for name, found in results.items()}
    head = ["| cases | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]
    by_topic = (
        _row(title, (_of_topic(outcomes[name], topic) for name in names))
        for topic, title in suite.topics.items()
    )
    by_level = (
        _row(f"**{level}**", (_of_level(outcomes[name], level) for name in names))
        for level in LEVELS
    )
    return "\n".join([*head, *by_topic, *by_level])


def render_versions(introductions: Iterable[Introduction]) -> str:
    """Return a sentence with the version of each program."""
    return ", ".join(f"{each.name} {each.version}" for each in introductions)


def _of_topic(outcomes: Iterable[Outcome], topic: str) -> str:
    return _share(each for each in outcomes if each.case.topic == topic)


def _of_level(outcomes: Iterable[Outcome], level: str) -> str:
    return _share(each for each in outcomes if each.case.level == level)


def _share(outcomes: Iterable[Outcome]) -> str:
    counts = Counter(each.passed for each in outcomes)
    applicable = counts[True] + counts[False]
    return f"{counts[True]} of {applicable}" if applicable else "-"


def _row(title: str, cells: Iterable[str]) -> str:
    return f"| {title} | {' | '.join(cells)} |"
