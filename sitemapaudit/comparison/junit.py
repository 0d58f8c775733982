"""New findings as JUnit XML, which most CI systems display."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, ElementTree, SubElement

from sitemapaudit.comparison.comparing import TABLE, Comparison
from sitemapaudit.datasets.database import connect, parquet_rows
from sitemapaudit.items import Severity
from sitemapaudit.sitemaps.xml_syntax import forbidden

MAX_FAILURES: Final = 1_000
"""New findings of one rule that are written; the count includes all."""


def write_junit(comparison: Comparison, file: Path, minimum: Severity) -> None:
    """Write a test case per rule that has findings; new ones of ``minimum`` severity fail it.

    Raises OSError if the file cannot be written.
    """
    suite = Element("testsuite", name="sitemapaudit")
    failures = 0
    rules = sorted({(rule, severity) for rule, severity, _ in comparison.rules})
    for rule, severity in rules:
        case = SubElement(suite, "testcase", classname=severity, name=rule)
        number = comparison.rules.get((rule, severity, "new"), 0)
        if number and Severity(severity).rank >= minimum.rank:
            failures += 1
            failure = SubElement(case, "failure", message=f"{number:,} new")
            failure.text = "\n".join(_new_findings(comparison.new, rule, severity))
    suite.set("tests", str(len(rules)))
    suite.set("failures", str(failures))
    ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)


def _new_findings(run: Path, rule: str, severity: str) -> list[str]:
    rows_of_table = parquet_rows(run / f"{TABLE}.parquet")
    with connect() as connection:
        rows = connection.execute(
            "select coalesce(url, sitemap, '') || ' ' || message"
            f" || coalesce(' (' || sitemap || ', line ' || line || ')', '') from {rows_of_table}"
            f" where change = 'new' and rule = ? and severity = ? limit {MAX_FAILURES}",
            [rule, severity],
        ).fetchall()
    return [forbidden().sub("\N{REPLACEMENT CHARACTER}", text) for (text,) in rows]
