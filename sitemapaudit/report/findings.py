"""The findings, grouped by rule, the gravest first, each group with examples."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import duckdb

from sitemapaudit.items import Severity, Subject
from sitemapaudit.report.embedding import ADDRESS, cut, within
from sitemapaudit.rules.catalogue import catalogue, rules_of_a_run
from sitemapaudit.rules.rule import SECTIONS
from sitemapaudit.rules.sources import Reference

EXAMPLES: Final = 20
"""Findings of a rule that are shown."""

BUDGET: Final = 3_000_000
"""Bytes of the page that all examples together may take."""

COLUMNS: Final = "rule, severity, url, sitemap, position, message, evidence"
"""What is shown of a finding."""


@dataclass(slots=True)
class Group:
    """The findings of one rule; what the rule says of itself is empty if it is no more."""

    rule: str
    severity: Severity
    subject: Subject
    title: str
    sections: tuple[tuple[str, str], ...]
    references: tuple[Reference, ...]
    numbers: Counter[Severity]
    examples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def number(self) -> int:
        """How many findings there are."""
        return self.numbers.total()

    @property
    def milder(self) -> tuple[tuple[Severity, int], ...]:
        """How many of them are less grave than the group."""
        others = (severity for severity in reversed(Severity) if severity is not self.severity)
        return tuple((each, self.numbers[each]) for each in others if self.numbers[each])


def groups(connection: duckdb.DuckDBPyConnection) -> list[Group]:
    """Return a group for each rule that found something, the gravest and most frequent first."""
    found = sorted(_counted(connection).values(), key=_gravity)
    for group in found:
        examples = (finding_row(row) for row in _examples(connection, group.rule))
        group.examples = within(examples, BUDGET // len(found))
    return found


def silent(found: list[Group]) -> list[tuple[str, str]]:
    """Return id and title of the rules that found nothing."""
    speaking = {group.rule for group in found}
    return [(name, rule.title()) for name, rule in rules_of_a_run().items() if name not in speaking]


def finding_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page shows of one finding: nothing that is empty, and no text too long."""
    shown = {
        "rule": row["rule"],
        "severity": row["severity"],
        "url": row["url"] and cut(row["url"], ADDRESS),
        "sitemap": row["sitemap"] and cut(row["sitemap"], ADDRESS),
        "position": row["position"],
        "message": cut(row["message"]),
        "evidence": evidence(row["evidence"]),
    }
    return {name: value for name, value in shown.items() if value not in (None, "", [])}


def _counted(connection: duckdb.DuckDBPyConnection) -> dict[str, Group]:
    found: dict[str, Group] = {}
    query = "select rule, subject, severity, count(*) from findings group by all"
    for rule, subject, severity, number in connection.execute(query).fetchall():
        group = found.setdefault(rule, _group(rule, Subject(subject)))
        group.numbers[Severity(severity)] += number
        group.severity = max(group.numbers, key=lambda each: each.rank)
    return found


def _group(name: str, subject: Subject) -> Group:
    rule = catalogue().get(name)
    if rule is None:
        return Group(name, Severity.NOTICE, subject, name, (), (), Counter())
    sections = tuple((part, _sentence(rule.section(part))) for part in SECTIONS)
    return Group(name, rule.severity, subject, rule.title(), sections, rule.references, Counter())


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _gravity(group: Group) -> tuple[int, int, str]:
    return -group.severity.rank, -group.number, group.rule


def _examples(connection: duckdb.DuckDBPyConnection, rule: str) -> Iterator[Mapping[str, Any]]:
    """Yield the first findings of a rule; the table is sorted, so few of its rows are read."""
    query = f"select {COLUMNS} from findings where rule = $rule limit {EXAMPLES}"
    names = COLUMNS.split(", ")
    for row in connection.execute(query, {"rule": rule}).fetchall():
        yield dict(zip(names, row, strict=True))


def evidence(text: str | None) -> list[list[str]]:
    """Return names and values; what holds nothing, or is no object, is left out."""
    try:
        values = json.loads(text or "{}")
    except ValueError:
        return [["evidence", cut(text or "")]]
    if not isinstance(values, dict):
        return [["evidence", cut(text or "")]]
    return [[name, cut(_plain(value))] for name, value in values.items() if value not in (None, "")]


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
