"""The decision as JUnit XML: a test case per rule."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, ElementTree, SubElement

from sitemapaudit.gating.decision import TIMES, Decision
from sitemapaudit.gating.findings import GateFinding
from sitemapaudit.sitemaps.xml_stream import FORBIDDEN

NAME: Final = "junit.xml"

MAX_FAILURES: Final = 1_000
"""Findings of a rule that are written; the count includes all."""


def write_junit(decision: Decision, checked: Iterable[str], file: Path) -> None:
    """Write a test case per checked rule; findings that fail the gate fail it. Raises OSError."""
    by_rule: dict[str, list[GateFinding]] = {}
    for finding in decision.failing:
        by_rule.setdefault(finding.rule, []).append(finding)
    suite = Element("testsuite", name="sitemapaudit")
    rules = sorted({*checked, *by_rule})
    for rule in rules:
        case = SubElement(suite, "testcase", classname="sitemapaudit", name=rule)
        if found := by_rule.get(rule):
            failure = SubElement(case, "failure", message=f"{sum(e.number for e in found):,} found")
            lines = (f"{each.severity}: {each.where}: {each.message}" for each in found)
            text = "\n".join(line for line, _ in zip(lines, range(MAX_FAILURES), strict=False))
            failure.text = FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
    other = [reason for reason in decision.reasons if TIMES not in reason]
    gate = SubElement(suite, "testcase", classname="sitemapaudit", name="gate")
    for reason in other:
        SubElement(gate, "failure", message=reason)
    suite.set("tests", str(len(rules) + 1))
    suite.set("failures", str(len(by_rule) + len(other)))
    ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)
