"""Groups findings by rule, the most severe first, with examples."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import duckdb
from msgspec import Struct, field

from sitemapaudit.datasets.built_files import files_at
from sitemapaudit.datasets.merged_findings import NUMBER_FOUND
from sitemapaudit.items import Severity, Subject
from sitemapaudit.numbers import count_noun
from sitemapaudit.report.diagnostics import (
    MAX_FINDINGS,
    Diagnostic,
    read_diagnostics,
    read_recorded,
    render_diagnostics,
)
from sitemapaudit.report.embedding import ADDRESS, shorten, within
from sitemapaudit.rules.catalog import Catalog, single_run_rules
from sitemapaudit.rules.rule import SECTIONS, Rule
from sitemapaudit.rules.sources import Reference

MAX_EXAMPLES: Final = 20
"""Examples per rule."""

BUDGET: Final = 3_000_000
"""Limit for all examples in the report, in bytes."""

COLUMNS: Final = "rule, severity, url, sitemap, position, line, message, evidence"
"""The columns of a finding in the report."""


class Group(Struct):
    """The findings of one rule; its texts are empty if the rule no longer exists."""

    rule: str
    severity: Severity
    subject: Subject
    title: str
    sections: tuple[tuple[str, str], ...]
    references: tuple[Reference, ...]
    severities: Counter[Severity]
    examples: list[dict[str, Any]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def evidence(self) -> str:
        """The first findings with their responses as text, with the reason and the remedy."""
        notes = [(name, text) for name, text in self.sections if name in ("Why", "Fix")]
        return render_diagnostics(self.diagnostics, notes)

    @property
    def first_evidence(self) -> str:
        """The first finding with its response as text, with the reason."""
        notes = [(name, text) for name, text in self.sections if name == "Why"]
        return render_diagnostics(self.diagnostics[:1], notes)

    @property
    def count(self) -> int:
        """The number of findings, including merged ones."""
        return self.severities.total()

    @property
    def most_severe(self) -> int:
        """The number of findings of its severity."""
        return self.severities[self.severity]

    @property
    def counts(self) -> str:
        """The number of findings, for each severity if there are several."""
        if not self.less_severe:
            return f"{self.count:,}"
        each = ((self.severity, self.most_severe), *self.less_severe)
        return ", ".join(count_noun(number, severity) for severity, number in each)

    @property
    def less_severe(self) -> tuple[tuple[Severity, int], ...]:
        """The number of findings per lower severity."""
        others = (severity for severity in reversed(Severity) if severity is not self.severity)
        return tuple((each, self.severities[each]) for each in others if self.severities[each])


def group_findings(
    connection: duckdb.DuckDBPyConnection, rules: Catalog, *, of_build: bool = False
) -> list[Group]:
    """Return a group per rule with findings, the most severe and most frequent first.

    The examples of a build have the files of their pages.
    """
    groups = sorted(_count_findings(connection, rules).values(), key=_sort_key)
    for group in groups:
        examples = (finding_row(row) for row in _examples(connection, group.rule))
        group.examples = within(examples, BUDGET // len(groups))
    if of_build:
        found = [example for group in groups for example in group.examples]
        files = files_at(connection, (each["url"] for each in found if "url" in each))
        for example in found:
            if file := files.get(example.get("url", "")):
                example["file"] = shorten(file, ADDRESS)
    else:  # A build has no server that responds.
        _add_diagnostics(connection, groups)
    return groups


def _add_diagnostics(connection: duckdb.DuckDBPyConnection, groups: list[Group]) -> None:
    recorded = read_recorded(connection)
    chosen = {
        group.rule: (
            group.subject,
            [finding_row(row) for row in recorded.get(group.rule, ())]
            or group.examples[:MAX_FINDINGS],
        )
        for group in groups
    }
    found = read_diagnostics(connection, chosen)
    for group in groups:
        group.diagnostics = found[group.rule]


def list_silent_rules(groups: list[Group], rules: Catalog) -> list[tuple[str, str]]:
    """Return the id and the title of each rule without findings."""
    found = {group.rule for group in groups}
    return [
        (name, rule.title()) for name, rule in single_run_rules(rules).items() if name not in found
    ]


def finding_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a finding for the report, with bounded texts and without empty values."""
    values = {
        "rule": row["rule"],
        "severity": row["severity"],
        "url": row["url"] and shorten(row["url"], ADDRESS),
        "sitemap": row["sitemap"] and shorten(row["sitemap"], ADDRESS),
        "position": row["position"],
        "line": row["line"],
        "message": shorten(row["message"]),
        "evidence": parse_evidence(row["evidence"]),
    }
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _count_findings(connection: duckdb.DuckDBPyConnection, rules: Catalog) -> dict[str, Group]:
    groups: dict[str, Group] = {}
    query = f"select rule, subject, severity, {NUMBER_FOUND} from findings group by all"
    for rule, subject, severity, count in connection.execute(query).fetchall():
        group = groups.setdefault(rule, _group(rule, Subject(subject), rules.get(rule)))
        group.severities[Severity(severity)] += count
        group.severity = max(group.severities, key=lambda each: each.rank)
    return groups


def _group(name: str, subject: Subject, rule: type[Rule] | None) -> Group:
    if rule is None:
        return Group(name, Severity.NOTICE, subject, name, (), (), Counter())
    sections = tuple((part, _capitalize(rule.section(part))) for part in SECTIONS)
    return Group(name, rule.severity, subject, rule.title(), sections, rule.references, Counter())


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sort_key(group: Group) -> tuple[int, int, str]:
    return -group.severity.rank, -group.count, group.rule


def _examples(connection: duckdb.DuckDBPyConnection, rule: str) -> Iterator[Mapping[str, Any]]:
    """Yield the first findings of a rule; the table is sorted, so few rows are read."""
    query = f"select {COLUMNS} from findings where rule = $rule limit {MAX_EXAMPLES}"
    names = COLUMNS.split(", ")
    for row in connection.execute(query, {"rule": rule}).fetchall():
        yield dict(zip(names, row, strict=True))


def parse_evidence(text: str | None) -> list[list[str]]:
    """Return the names and values of evidence in JSON; empty values are skipped."""
    try:
        values = json.loads(text or "{}")
    except ValueError:
        return [["evidence", shorten(text or "")]]
    if not isinstance(values, dict):
        return [["evidence", shorten(text or "")]]
    return [
        [name, shorten(_as_text(value))]
        for name, value in values.items()
        if value not in (None, "")
    ]


def _as_text(value: Any) -> str:
    if type(value) is int:
        return f"{value:,}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
