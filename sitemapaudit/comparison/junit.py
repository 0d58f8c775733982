"""New findings as JUnit XML, which systems of continuous integration draw."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, ElementTree, SubElement

from sitemapaudit.comparison.comparing import TABLE, Comparison
from sitemapaudit.datasets.database import connect, literal
from sitemapaudit.items import Severity
from sitemapaudit.sitemaps.xml import FORBIDDEN

MAX_FAILURES: Final = 1_000
"""New findings of one rule that are written; the count is of all."""


def write_junit(comparison: Comparison, file: Path, least: Severity) -> None:
    """Write a test case for each rule that found anything: failed, if it is new and grave enough.

    Raises OSError if the file cannot be written.
    """
    suite = Element("testsuite", name="sitemapaudit")
    failures = 0
    rules = sorted({(rule, severity) for rule, severity, _ in comparison.rules})
    for rule, severity in rules:
        case = SubElement(suite, "testcase", classname=severity, name=rule)
        number = comparison.rules.get((rule, severity, "new"), 0)
        if number and Severity(severity).rank >= least.rank:
            failures += 1
            failure = SubElement(case, "failure", message=f"{number:,} new")
            failure.text = "\n".join(_told(comparison.new, rule, severity))
    suite.set("tests", str(len(rules)))
    suite.set("failures", str(failures))
    ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)


def _told(run: Path, rule: str, severity: str) -> list[str]:
    table = literal(str(run / f"{TABLE}.parquet"))
    with connect() as connection:
        rows = connection.execute(
            f"select coalesce(url, sitemap, '') || ' ' || message from read_parquet({table})"
            f" where change = 'new' and rule = ? and severity = ? limit {MAX_FAILURES}",
            [rule, severity],
        ).fetchall()
    return [FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text) for (text,) in rows]
