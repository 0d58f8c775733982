"""Checks every item with the rules for its type."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol, Self

from sitemapaudit.items import (
    AgentPage,
    Entries,
    Entry,
    Finding,
    MediaFile,
    Page,
    RecheckedPage,
    Rendering,
    Robots,
    Severity,
    Sitemap,
    Subject,
)
from sitemapaudit.machine import find_shortage
from sitemapaudit.rules.catalog import Catalog, catalog
from sitemapaudit.rules.concerns import Concern
from sitemapaudit.rules.profiles import choose_rules
from sitemapaudit.rules.rule import ComparisonRule, QueryRule, Row, RowRule, Rule
from sitemapaudit.rules.rule_options import DEFAULTS, RuleOptions

logger = logging.getLogger(__name__)

Item = Robots | Sitemap | Entries | Page | Rendering | MediaFile

OFF: Final = "off"
"""The setting for a rule that is switched off, instead of a severity."""

RulesByConcern = dict[Concern | None, list[RowRule[Any]]]

_SUBJECTS: Mapping[type, Subject] = {
    Robots: Subject.ROBOTS,
    Sitemap: Subject.SITEMAP,
    Entry: Subject.ENTRY,
    Page: Subject.PAGE,
    RecheckedPage: Subject.PAGE,
}


class RuleChoice(Protocol):
    """The settings that choose rules; ``AuditSettings`` is one."""

    @property
    def rules(self) -> Mapping[str, str]:
        """The severity, or ``off``, of rules by id or pattern; and the profiles."""

    @property
    def rule_options(self) -> RuleOptions:
        """The options of single rules."""

    @property
    def catalog(self) -> Catalog:
        """All rules."""


class Audit:
    """The active rules, with the severities that the user chose.

    ``severities`` maps rule ids, or patterns of them, to a severity or ``off``, and ``profile`` to
    the names of profiles. Without ``sitemaps``, rules about them are off. ``active`` are the ids of
    the rules that are not off, ``queries`` the rules about one run, ``comparisons`` those about
    two. A rule that raises is our fault: it is logged once and counted in ``broken``, and affects
    no other rule.
    """

    def __init__(
        self,
        severities: Mapping[str, str] | None = None,
        *,
        rule_options: RuleOptions = DEFAULTS,
        rules: Catalog | None = None,
        sitemaps: bool = True,
    ) -> None:
        self.broken: Counter[str] = Counter()
        self.rules = catalog() if rules is None else rules
        self.rule_options = rule_options
        self._severities = choose_rules(severities or {}, self.rules)
        active = [
            rule
            for rule in self.rules.values()
            if self._severities.get(rule.id) != OFF and (sitemaps or not rule.about_sitemaps)
        ]
        self.active = [rule.id for rule in active]
        queries = [rule for rule in active if issubclass(rule, QueryRule)]
        self.queries = [rule for rule in queries if not issubclass(rule, ComparisonRule)]
        self.comparisons = [rule for rule in queries if issubclass(rule, ComparisonRule)]
        row_rules = [rule(rule_options) for rule in active if issubclass(rule, RowRule)]
        self._row_rules = {
            row: _by_concern(rule for rule in row_rules if rule.subject is subject)
            for row, subject in _SUBJECTS.items()
        }

    @classmethod
    def of(cls, settings: RuleChoice, *, sitemaps: bool = True) -> Self:
        """Create an audit with the rules and options of settings."""
        return cls(
            settings.rules,
            rule_options=settings.rule_options,
            rules=settings.catalog,
            sitemaps=sitemaps,
        )

    def examine(self, item: Item) -> list[Finding]:
        """Return the findings of row rules on an item; on a sitemap, once it is read."""
        if isinstance(item, Entries):
            return self._check_entries(item.rows)
        if isinstance(item, Rendering | MediaFile | AgentPage):
            return []  # Query rules compare these with pages and entries, or verdicts.
        if isinstance(item, Sitemap) and not item.complete:
            return []
        return self._check(item)

    def checked_rules(self, recorded: Sequence[str]) -> list[str]:
        """Return the rules that a run was checked with, once its tables are built.

        ``recorded`` are those from its start, if known: only queries are checked again, not rows.
        """
        queries = [rule.id for rule in self.queries]
        rows = recorded or self.active
        others = (name for name in rows if not issubclass(self.rules.get(name, RowRule), QueryRule))
        return sorted({*queries, *others})

    def editions(self, rules: Iterable[str]) -> dict[str, str]:
        """Return the editions of rules; the first one of a built-in rule is omitted."""
        known = {name: self.rules[name].edition() for name in rules if name in self.rules}
        return {name: edition for name, edition in known.items() if edition != str(Rule.version)}

    def chosen_severity(self, rule: str) -> Severity | None:
        """Return the severity that the user chose for a rule, if any."""
        chosen = self._severities.get(rule)
        return Severity(chosen) if chosen else None

    def _check_entries(self, rows: Sequence[Entry]) -> list[Finding]:
        """Return the findings on entries, in the order of the entries.

        One concern after another filters the entries: for most of them, no rule has to run.
        """
        findings = [
            finding
            for concern, group in self._row_rules[Entry].items()
            for row in self._concerned(concern, group, rows)
            for finding in self._apply(group, row)
        ]
        findings.sort(key=lambda finding: finding.position or 0)
        return findings

    def _check(self, row: Row) -> list[Finding]:
        return [
            finding
            for concern, group in self._row_rules[type(row)].items()
            for each in self._concerned(concern, group, (row,))
            for finding in self._apply(group, each)
        ]

    def _concerned(
        self, concern: Concern | None, group: Iterable[RowRule[Any]], rows: Sequence[Any]
    ) -> Sequence[Any]:
        """Return the rows in which rules may find something: none if their concern raises."""
        try:
            return rows if concern is None else list(filter(concern, rows))
        except Exception:  # noqa: BLE001 - a rule must not end the audit
            for rule in group:
                self.report_broken(rule.id, "its concern")
            return ()

    def _apply(self, group: Iterable[RowRule[Any]], row: Row) -> Iterator[Finding]:
        for rule in group:
            try:
                for finding in rule.check(row):
                    finding.severity = self.chosen_severity(rule.id) or finding.severity
                    yield finding
            except Exception as error:
                if find_shortage(error) is not None:
                    raise
                self.report_broken(rule.id, row)

    def report_broken(self, rule: str, context: object) -> None:
        """Count a rule that raised, and log the first time; call it from the except clause."""
        self.broken[rule] += 1
        if self.broken[rule] == 1:
            logger.exception(  # noqa: LOG004 - called from an except clause
                "Rule %s failed on %.500s; further failures are only counted", rule, context
            )


def _by_concern(rules: Iterable[RowRule[Any]]) -> RulesByConcern:
    """Return rules by their concern."""
    groups: RulesByConcern = {}
    for rule in rules:
        groups.setdefault(rule.own_concern, []).append(rule)
    return groups
