"""The changes since the previous run: counts, and the most severe changes."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import duckdb
from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.comparison.comparing import Comparison
from sitemapaudit.items import Verdict
from sitemapaudit.report.embedding import ADDRESS, shorten, within
from sitemapaudit.report.finding_groups import parse_evidence
from sitemapaudit.report.overview import Overview, build_overview
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.rules.rule import ComparisonRule, Rule
from sitemapaudit.runs.comparable_rules import comparable_rules
from sitemapaudit.runs.manifest import Manifest

RULES: Final = 10
"""The number of rules in the table, with the largest changes in findings first."""

PER_KIND: Final = 50
"""Limit for changes of one kind: of one rule, or from one verdict to another."""

MAX_CHANGES: Final = 1_000
"""Limit for changes in the report."""

_MANY: Final = 0.1
"""The share of listed URLs from which on it matters that only one of two runs checked them."""

BUDGET: Final = 700_000
"""Limit for their part of the report, in bytes."""


_NOTES: Final = {
    (True, False): "not checked again",
    (False, True): "not checked before",
    (False, False): "checked differently",
}
"""The notes on rules that are not comparable in the earlier or the later run."""


class CountChange(Struct, frozen=True):
    """A count in both runs; ``worse`` is None if an increase is neither good nor bad.

    ``note`` says why the two cannot be compared.
    """

    name: str
    before: int
    after: int
    worse: bool | None = None
    note: str | None = None

    @property
    def change(self) -> int:
        """The difference."""
        return self.after - self.before


class Changes(Struct, frozen=True):
    """The changes since an earlier run.

    ``differ`` says that one of the runs checked other URLs, or only a sample: then no change of a
    count is better or worse.
    """

    started: str
    complete: bool
    differ: bool
    arguments: tuple[str, ...]
    previous: Overview
    verdicts: tuple[CountChange, ...]
    rules: tuple[CountChange, ...]
    more_rules: int
    comparison: Comparison

    @property
    def count(self) -> int:
        """The number of single changes."""
        return sum(self.comparison.changes.values())


def count_changes(comparison: Comparison, manifest: Manifest, rules: Catalog) -> Changes:
    """Count the changes since the earlier run."""
    earlier = comparison.old_manifest
    differ = _check_other_urls(earlier, manifest)
    changed = _unjudged(_rule_changes(earlier, manifest, rules), differ=differ)
    verdicts = _verdict_changes(build_overview(earlier), build_overview(manifest))
    ranked = sorted(changed, key=lambda rule: (-abs(rule.change), rule.name))
    return Changes(
        started=earlier.started,
        complete=earlier.complete,
        differ=differ,
        arguments=tuple(_argument_changes(earlier, manifest)),
        previous=build_overview(earlier),
        verdicts=tuple(_unjudged(verdicts, differ=differ)),
        rules=tuple(ranked[:RULES]),
        more_rules=len(ranked[RULES:]),
        comparison=comparison,
    )


def read_changes(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Return the most severe changes, some of each kind, up to the budget."""
    cursor = connection.execute(
        "select change, coalesce(url, sitemap) as place, previous_url, before, after, rule,"
        " severity, message, evidence"
        " from (select *, row_number() over () as rank from comparison)"
        " qualify row_number() over"
        f"  (partition by change, rule, before, after order by rank) <= {PER_KIND}"
        f" order by rank limit {MAX_CHANGES}"
    )
    names = [column[0] for column in cursor.description or []]
    rows = (dict(zip(names, row, strict=True)) for row in cursor.fetchall())
    return within(map(_report_row, rows), BUDGET)


def _report_row(row: dict[str, Any]) -> dict[str, Any]:
    for name in ("place", "previous_url"):
        row[name] = row[name] and shorten(row[name], ADDRESS)
    row["message"] = row["message"] and shorten(row["message"])
    row["evidence"] = parse_evidence(row["evidence"])
    return {name: value for name, value in row.items() if value not in (None, [])}


def list_comparison_rules(rows: list[dict[str, Any]], rules: Catalog) -> list[type[Rule]]:
    """Return the comparison rules in these rows, which no other section explains."""
    ids = {row.get("rule") for row in rows}
    comparing = (rule for rule in rules.values() if issubclass(rule, ComparisonRule))
    return [rule for rule in comparing if rule.id in ids]


def _check_other_urls(earlier: Manifest, manifest: Manifest) -> bool:
    """Return whether one of two runs left many more URLs unchecked, or drew a sample."""
    unchecked = [each.verdicts.get(Verdict.UNCHECKED, 0) for each in (earlier, manifest)]
    listed = max(sum(each.verdicts.values()) for each in (earlier, manifest))
    are_many = max(unchecked) - min(unchecked) > _MANY * listed
    return are_many or bool(earlier.sample or manifest.sample)


def _unjudged(changes: Iterable[CountChange], *, differ: bool) -> Iterator[CountChange]:
    """Yield changes, and judge none of them if the runs differ."""
    return (replace(each, worse=None) if differ else each for each in changes)


def _argument_changes(earlier: Manifest, manifest: Manifest) -> Iterator[str]:
    for name in sorted(earlier.arguments.keys() | manifest.arguments.keys()):
        before, after = earlier.arguments.get(name), manifest.arguments.get(name)
        if before != after:
            yield f"{name} was {before or 'empty'}, now {after or 'empty'}"


def _verdict_changes(earlier: Overview, later: Overview) -> Iterator[CountChange]:
    counts = [{row.verdict: row.count for row in each.verdicts} for each in (earlier, later)]
    for verdict in reversed(Verdict):
        before, after = (each.get(verdict, 0) for each in counts)
        if before != after:
            more = after > before
            good = verdict is Verdict.INDEXABLE
            worse = None if verdict.indexable is None else more != good
            yield CountChange(verdict, before, after, worse)


def _rule_changes(earlier: Manifest, manifest: Manifest, rules: Catalog) -> Iterator[CountChange]:
    earlier_rules = comparable_rules(earlier, manifest, rules)
    later_rules = comparable_rules(manifest, earlier, rules)
    for rule in earlier.rules.keys() | manifest.rules.keys():
        before, after = earlier.rules.get(rule, 0), manifest.rules.get(rule, 0)
        note = _NOTES.get((rule in earlier_rules, rule in later_rules))
        if before != after:
            yield CountChange(rule, before, after, None if note else after > before, note)
