"""New findings as JUnit XML."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sitemapaudit.comparison.comparing import TABLE, Comparison
from sitemapaudit.datasets.database import connect, parquet_rows
from sitemapaudit.items import Severity
from sitemapaudit.junit import Case, write_junit

MAX_FAILURES: Final = 1_000
"""Limit for new findings of one rule; the count includes all."""


def write_new_findings(comparison: Comparison, file: Path, minimum: Severity) -> None:
    """Write a test case per rule with findings; new ones of ``minimum`` severity or above fail it.

    Raises OSError if the file cannot be written.
    """
    write_junit(_cases(comparison, minimum), file)


def _cases(comparison: Comparison, minimum: Severity) -> Iterator[Case]:
    for rule, severity in sorted({(rule, severity) for rule, severity, _ in comparison.rules}):
        number = comparison.rules.get((rule, severity, "new"), 0)
        fails = number and Severity(severity).rank >= minimum.rank
        details = _new_findings(comparison.new, rule, severity) if fails else ()
        yield Case(severity, rule, f"{number:,} new" if fails else "", details)


def _new_findings(run: Path, rule: str, severity: str) -> list[str]:
    rows_of_table = parquet_rows(run / f"{TABLE}.parquet")
    with connect() as connection:
        rows = connection.execute(
            "select coalesce(url, sitemap, '') || ' ' || message"
            f" || coalesce(' (' || sitemap || ', line ' || line || ')', '') from {rows_of_table}"
            f" where change = 'new' and rule = ? and severity = ? limit {MAX_FAILURES}",
            [rule, severity],
        ).fetchall()
    return [text for (text,) in rows]
