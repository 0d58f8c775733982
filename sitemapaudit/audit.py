"""Shows every item to every rule that judges rows of its kind."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from sitemapaudit.items import (
    Entries,
    Entry,
    Finding,
    Page,
    Rendering,
    Robots,
    Severity,
    Sitemap,
    Subject,
)
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.rules.preferences import DEFAULTS, Preferences
from sitemapaudit.rules.rule import Comparing, Query, Row, RowRule

logger = logging.getLogger(__name__)

Item = Robots | Sitemap | Entries | Page | Rendering

_SUBJECTS: Mapping[type, Subject] = {
    Robots: Subject.ROBOTS,
    Sitemap: Subject.SITEMAP,
    Entry: Subject.ENTRY,
    Page: Subject.PAGE,
}


class Audit:
    """The rules that are switched on, with the severities that the user wants.

    ``settings`` maps ids of rules to a severity or ``off``. A rule that raises
    is our fault: it is logged and counted in ``broken``, and the rest goes on.
    ``queries`` are asked of a run, ``comparisons`` of two.
    """

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        preferences: Preferences = DEFAULTS,
    ) -> None:
        self.broken: Counter[str] = Counter()
        self._settings = settings or {}
        wanted = [rule for rule in catalogue().values() if self._settings.get(rule.id) != "off"]
        queries = [rule for rule in wanted if issubclass(rule, Query)]
        self.queries = [rule for rule in queries if not issubclass(rule, Comparing)]
        self.comparisons = [rule for rule in queries if issubclass(rule, Comparing)]
        row_rules = [rule(preferences) for rule in wanted if issubclass(rule, RowRule)]
        self._rules = {
            row: [rule for rule in row_rules if rule.subject is subject]
            for row, subject in _SUBJECTS.items()
        }

    def examine(self, item: Item) -> list[Finding]:
        """Return what the row rules find on an item; on a sitemap, when it was read to its end."""
        if isinstance(item, Entries):
            rules = self._rules[Entry]
            return [finding for row in item.rows for finding in self._judge(row, rules)]
        if isinstance(item, Rendering) or (isinstance(item, Sitemap) and not item.complete):
            return []  # Queries compare a rendering with its page.
        return list(self._judge(item, self._rules[type(item)]))

    def chosen_severity(self, rule: str) -> Severity | None:
        """Return the severity that the user gave to every finding of a rule, if any."""
        chosen = self._settings.get(rule)
        return Severity(chosen) if chosen else None

    def _judge(self, row: Row, rules: list[RowRule[Any]]) -> Iterable[Finding]:
        for rule in rules:
            try:
                for finding in rule.check(row):
                    finding.severity = self.chosen_severity(rule.id) or finding.severity
                    yield finding
            except Exception:  # noqa: BLE001 - whatever a rule does, the audit goes on
                self.report_broken(rule.id, row)

    def report_broken(self, rule: str, context: object) -> None:
        """Log and count a rule that raised; to be called from its except clause."""
        self.broken[rule] += 1
        logger.exception(  # noqa: LOG004 - called from an except clause
            "Rule %s failed on %.500s", rule, context
        )
