"""The decision as JUnit XML: a test case per rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, ElementTree, SubElement

from sitemapaudit.gating.decision import Decision
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.sitemaps.xml_syntax import forbidden

NAME: Final = "junit.xml"
_CLASS: Final = "sitemapaudit"


def write_junit(decision: Decision, checked: Iterable[str], file: Path) -> None:
    """Write a test case per checked rule, and one for everything else. Raises OSError.

    Findings that fail the gate fail the test case of their rule.
    """
    numbers: Counter[str] = Counter()
    for (_, rule), number in decision.counts.items():
        numbers[rule] += number
    suite = Element("testsuite", name=_CLASS)
    rules = sorted({*checked, *numbers})
    for rule in rules:
        case = SubElement(suite, "testcase", classname=_CLASS, name=rule)
        if number := numbers[rule]:
            _fail(case, f"{number:,} found", _lines(rule, decision.failing))
    gate = SubElement(suite, "testcase", classname=_CLASS, name="gate")
    if decision.reasons:
        _fail(gate, "; ".join(decision.reasons), decision.reasons)
    failures = sum(len(case) for case in suite)
    for name, value in {"tests": len(suite), "failures": failures, "errors": 0}.items():
        suite.set(name, str(value))
    ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)


def _lines(rule: str, failing: Sequence[GateFinding]) -> list[str]:
    return [
        f"{each.severity}: {each.where}: {each.message}" for each in failing if each.rule == rule
    ]


def _fail(case: Element, message: str, lines: Iterable[str]) -> None:
    failure = SubElement(case, "failure", message=_clean(message), type=_CLASS)
    failure.text = _clean("\n".join(lines))


def _clean(text: str) -> str:
    return forbidden().sub("\N{REPLACEMENT CHARACTER}", text)
