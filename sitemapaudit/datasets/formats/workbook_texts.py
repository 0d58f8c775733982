"""The sheets of a workbook that explain the others: the summary, the rules, the columns."""

from collections.abc import Iterator, Sequence
from typing import Any

from sitemapaudit.datasets.own_columns import columns_of_run
from sitemapaudit.items import Verdict
from sitemapaudit.rules.catalog import Catalog, single_run_rules
from sitemapaudit.rules.profiles import choose_rules
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.verdicts import MEANINGS

SummaryRow = tuple[str, str, Any, str]
"""The subject of a value, its name, the value, and its meaning."""

_ROWS = {
    "urls": "listed URLs",
    "findings": "rows of findings: those that share a cause are one row",
    "sitemaps": "sitemap files",
    "pages": "fetched URLs",
    "entries": "entries of sitemaps",
    "robots": "robots.txt files",
}
_SEVERITIES = {
    "error": "a search engine rejects or drops the file or the entry",
    "warning": "the signal is contradictory, wasteful or partly ignored",
    "notice": "advice",
}


def summary_rows(manifest: Manifest, rules: Catalog) -> Iterator[SummaryRow]:
    """Yield the answer first: how the run ended, verdicts, findings; then how it was started."""
    rows = [*_ending(manifest), *_results(manifest, rules)]
    rows += [("argument", name, str(given), "") for name, given in manifest.arguments.items()]
    rows.append(("note", "times", "All times are UTC.", ""))
    return (row for row in rows if row[2] not in (None, ""))


def describe_truncation(
    manifest: Manifest, sheets: Sequence[str], limit: int, truncated: int
) -> Iterator[SummaryRow]:
    """Yield what the sheets lack, as notes."""
    for table in sheets:
        there = manifest.rows.get(table, 0)
        if there > limit:
            text = f"The sheet has the first {limit:,} of {there:,} rows, because more do not fit."
            yield "note", table, f"{text} All rows are in {table}.parquet.", ""
    if truncated:
        text = f"Texts truncated at 32,767 characters, the limit of a cell: {truncated:,}."
        yield "note", "texts", f"{text} The Parquet files have the full texts.", ""


def rule_rows(manifest: Manifest, rules: Catalog) -> list[tuple[str, int, str, str, str, str, str]]:
    """Return every rule with the number of its findings, those with most findings first."""
    chosen = choose_rules(manifest.settings.get("AUDIT_RULES") or {}, rules)
    rows = [
        (
            rule.id,
            manifest.rules.get(rule.id, 0),
            str(chosen.get(rule.id, rule.severity)),
            rule.subject.value,
            rule.title(),
            rule.section("Why"),
            rule.section("Fix"),
        )
        for rule in single_run_rules(rules).values()
    ]
    return sorted(rows, key=lambda row: -row[1])


def column_rows(manifest: Manifest, sheets: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the meaning of every column of the tables."""
    for table in sheets:
        for column in columns_of_run(manifest, table):
            yield table, column.name, column.meaning.replace("`", "")


def _ending(manifest: Manifest) -> Iterator[SummaryRow]:
    yield "run", "started", manifest.started, "the time in UTC"
    yield "run", "status", manifest.status.value, ""
    yield "run", "complete", manifest.complete, "everything was checked that should be"
    yield "run", "reason", manifest.reason, "why the run is not complete"


def _results(manifest: Manifest, rules: Catalog) -> Iterator[SummaryRow]:
    for verdict in reversed(Verdict):
        if verdict in manifest.verdicts:
            yield "verdict", verdict.value, manifest.verdicts[verdict], MEANINGS[verdict]
    for name, number in manifest.skipped.items():
        yield "skipped", name, number, "listed URLs that were skipped for this reason"
    for name, number in manifest.severities.items():
        yield "severity", name, number, _SEVERITIES.get(name, "")
    for name, number in manifest.rules.items():
        yield "rule", name, number, rules[name].title() if name in rules else ""
    for name, number in manifest.broken_rules.items():
        yield "rule failed", name, number, "the log has the traceback"
    for name, number in manifest.rows.items():
        yield "rows", name, number, _ROWS.get(name, "")
