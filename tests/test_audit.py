"""The audit: which rules check an item, with which severity, and how a rule that raises ends."""

import logging
from collections.abc import Iterable

import pytest

from sitemapaudit.audit import Audit, Item
from sitemapaudit.items import (
    Entries,
    Entry,
    Finding,
    Kind,
    Robots,
    Severity,
    Sitemap,
    Statement,
    Subject,
)
from sitemapaudit.rules.catalog import catalog, single_run_rules
from sitemapaudit.rules.rule import QueryRule, RowRule
from sitemapaudit.rules.sources import PRACTICE
from tests.support.rows import SITEMAP, fetched_page, listed

ROBOTS = Robots("https://www.example.com", "https://www.example.com/robots.txt", status=404)
EMPTY = Sitemap(SITEMAP, status=200, detected_format="empty")
MOVED = Sitemap(
    SITEMAP,
    status=200,
    hops=1,
    kind=Kind.RSS,
    version="2.0",
    final_url="https://www.example.com/a",
    content_type="application/xml",
)
RELATIVE = listed("/a", "/b")
NOINDEX = Statement("meta", None, "noindex")
PAGE = fetched_page(
    "https://www.example.com/a",
    noindex=True,
    is_html=True,
    content_type="text/html",
    statements=[NOINDEX],
)


class RaisesAfterFinding(RowRule[Entry]):
    """A rule that yields a finding, and then raises."""

    subject = Subject.ENTRY
    severity = Severity.NOTICE
    message = "is number {position}"
    references = (PRACTICE,)

    def check(self, row: Entry) -> Iterable[Finding]:
        yield self.finding(row, position=row.position)
        raise LookupError(row.position)


class RaisesOnFirstEntry(RaisesAfterFinding):
    """A rule that raises on the first entry only, before it yields a finding."""

    def check(self, row: Entry) -> Iterable[Finding]:
        if row.position == 1:
            raise ValueError(row.loc)
        return [self.finding(row, position=row.position)]


# The id of a rule is the name of its file, unless it is set afterwards.
RaisesAfterFinding.id = "raises-after-finding"
RaisesOnFirstEntry.id = "raises-on-first-entry"


def findings_of(audit: Audit, item: Item) -> list[tuple[str, str]]:
    return [(finding.rule, finding.severity.value) for finding in audit.examine(item)]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (ROBOTS, [("robots-missing", "notice")]),
        (EMPTY, [("sitemap-body-empty", "error")]),
        (RELATIVE, [("loc-not-absolute", "error"), ("loc-not-absolute", "error")]),
        (PAGE, [("noindex-meta", "error")]),
    ],
    ids=["robots", "sitemap", "entries", "page"],
)
def test_each_item_is_checked_by_the_rules_for_its_type(
    item: Item, expected: list[tuple[str, str]]
) -> None:
    assert findings_of(Audit(), item) == expected


def test_entries_are_checked_one_by_one() -> None:
    assert [finding.position for finding in Audit().examine(RELATIVE)] == [1, 2]


def test_a_rule_that_is_switched_off_finds_nothing() -> None:
    audit = Audit({"loc-not-absolute": "off"})
    assert findings_of(audit, RELATIVE) == []
    assert findings_of(audit, EMPTY) == [("sitemap-body-empty", "error")]


def test_a_query_that_is_switched_off_does_not_run() -> None:
    queries = {
        name for name, rule in single_run_rules(catalog()).items() if issubclass(rule, QueryRule)
    }
    assert {rule.id for rule in Audit().queries} == queries
    audit = Audit({"loc-duplicate": "off"})
    assert {rule.id for rule in audit.queries} == queries - {"loc-duplicate"}


@pytest.mark.parametrize("severity", Severity)
def test_the_severity_in_the_settings_applies(severity: Severity) -> None:
    audit = Audit({"sitemap-body-empty": severity.value})
    assert audit.chosen_severity("sitemap-body-empty") is severity
    assert findings_of(audit, EMPTY) == [("sitemap-body-empty", severity.value)]


def test_it_applies_to_the_milder_findings_of_a_rule_too() -> None:
    assert findings_of(Audit(), MOVED) == [("sitemap-redirected", "notice")]
    audit = Audit({"sitemap-redirected": "warning"})
    assert findings_of(audit, MOVED) == [("sitemap-redirected", "warning")]


def test_the_severity_of_one_rule_does_not_change_the_others() -> None:
    audit = Audit({"robots-missing": "error"})
    assert audit.chosen_severity("sitemap-body-empty") is None
    assert findings_of(audit, EMPTY) == [("sitemap-body-empty", "error")]


def test_a_sitemap_that_was_not_read_to_its_end_is_not_checked() -> None:
    row = Sitemap(SITEMAP, status=200, detected_format="empty", complete=False)
    assert findings_of(Audit(), row) == []
    row.complete = True
    assert findings_of(Audit(), row) == [("sitemap-body-empty", "error")]


def test_a_rule_that_raises_is_counted_and_the_others_continue() -> None:
    audit = Audit()
    audit._row_rules[Entry][None] = [RaisesOnFirstEntry()]
    assert findings_of(audit, listed("/a", "/b")) == [
        ("loc-not-absolute", "error"),
        ("loc-not-absolute", "error"),
        ("raises-on-first-entry", "notice"),
    ]
    assert audit.broken == {"raises-on-first-entry": 1}


def test_a_finding_before_an_exception_is_kept() -> None:
    audit = Audit({"raises-after-finding": "warning"})
    audit._row_rules[Entry][None] = [RaisesAfterFinding()]
    assert findings_of(audit, listed("https://www.example.com/a", "/b")) == [
        ("raises-after-finding", "warning"),
        ("loc-not-absolute", "error"),
        ("raises-after-finding", "warning"),
    ]
    assert audit.broken == {"raises-after-finding": 2}


def test_a_rule_that_raises_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    audit = Audit()
    audit._row_rules[Entry][None] = [RaisesOnFirstEntry()]
    for _ in range(2):
        audit.examine(listed("https://www.example.com/a" + "a" * 10_000))
    assert audit.broken == {"raises-on-first-entry": 2}
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)
    message = record.getMessage()
    assert message.startswith("Rule raises-on-first-entry failed on Entry(")
    assert SITEMAP in message
    assert len(message) < 1_000


def test_a_concern_that_raises_is_a_rule_that_failed() -> None:
    audit = Audit()
    audit._row_rules[Entry] = {
        lambda row: row.nothing: [RaisesOnFirstEntry()],
        **audit._row_rules[Entry],
    }
    assert findings_of(audit, RELATIVE) == [("loc-not-absolute", "error")] * 2
    assert audit.broken == {"raises-on-first-entry": 1}


def test_a_query_that_fails_is_counted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    audit = Audit()
    try:
        int("not a number")
    except ValueError:
        audit.report_broken("loc-duplicate", "the tables")
    assert audit.broken == {"loc-duplicate": 1}
    (record,) = caplog.records
    assert record.getMessage().startswith("Rule loc-duplicate failed on the tables;")
    assert record.exc_info is not None


def test_a_new_audit_has_no_broken_rules() -> None:
    audit = Audit()
    audit.examine(Entries(SITEMAP, []))
    assert not audit.broken
