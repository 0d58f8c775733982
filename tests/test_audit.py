"""The audit: which rules are asked, with which severity, and what becomes of one that raises."""

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
    Subject,
)
from sitemapaudit.rules.catalogue import rules_of_a_run
from sitemapaudit.rules.rule import Query, RowRule
from sitemapaudit.rules.sources import PRACTICE
from tests.support import SITEMAP, answered, listed

ROBOTS = Robots("https://www.example.com", "https://www.example.com/robots.txt", status=404)
EMPTY = Sitemap(SITEMAP, status=200, form="empty")
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
TARGET = "https://www.example.com/b"
PAGE = answered("https://www.example.com/a", 301, location="/b", target=TARGET)


class Clumsy(RowRule[Entry]):
    """A rule that finds something, and then raises."""

    id = "clumsy"
    subject = Subject.ENTRY
    severity = Severity.NOTICE
    message = "is number {position}"
    references = (PRACTICE,)

    def check(self, row: Entry) -> Iterable[Finding]:
        yield self.finding(row, position=row.position)
        raise LookupError(row.position)


class Picky(Clumsy):
    """A rule that raises on the first entry only, before it finds anything."""

    id = "picky"

    def check(self, row: Entry) -> Iterable[Finding]:
        if row.position == 1:
            raise ValueError(row.loc)
        return [self.finding(row, position=row.position)]


def told(audit: Audit, item: Item) -> list[tuple[str, str]]:
    return [(finding.rule, finding.severity.value) for finding in audit.examine(item)]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (ROBOTS, [("robots-missing", "notice")]),
        (EMPTY, [("sitemap-body-empty", "error")]),
        (RELATIVE, [("loc-not-absolute", "error"), ("loc-not-absolute", "error")]),
        (PAGE, [("page-redirect-permanent", "error")]),
    ],
    ids=["robots", "sitemap", "entries", "page"],
)
def test_each_item_is_shown_to_the_rules_of_its_kind(
    item: Item, expected: list[tuple[str, str]]
) -> None:
    assert told(Audit(), item) == expected


def test_entries_are_judged_one_by_one() -> None:
    assert [finding.position for finding in Audit().examine(RELATIVE)] == [1, 2]


def test_a_rule_that_is_switched_off_says_nothing() -> None:
    audit = Audit({"loc-not-absolute": "off"})
    assert told(audit, RELATIVE) == []
    assert told(audit, EMPTY) == [("sitemap-body-empty", "error")]


def test_a_query_that_is_switched_off_is_not_asked() -> None:
    queries = {name for name, rule in rules_of_a_run().items() if issubclass(rule, Query)}
    assert {rule.id for rule in Audit().queries} == queries
    audit = Audit({"loc-duplicate": "off"})
    assert {rule.id for rule in audit.queries} == queries - {"loc-duplicate"}


@pytest.mark.parametrize("severity", Severity)
def test_the_severity_of_the_settings_counts(severity: Severity) -> None:
    audit = Audit({"sitemap-body-empty": severity.value})
    assert audit.chosen_severity("sitemap-body-empty") is severity
    assert told(audit, EMPTY) == [("sitemap-body-empty", severity.value)]


def test_it_counts_for_the_milder_findings_of_a_rule_too() -> None:
    assert told(Audit(), MOVED) == [("sitemap-redirected", "notice")]
    audit = Audit({"sitemap-redirected": "warning"})
    assert told(audit, MOVED) == [("sitemap-redirected", "warning")]


def test_a_severity_of_one_rule_leaves_the_others_alone() -> None:
    audit = Audit({"robots-missing": "error"})
    assert audit.chosen_severity("sitemap-body-empty") is None
    assert told(audit, EMPTY) == [("sitemap-body-empty", "error")]


def test_a_sitemap_that_was_not_read_to_its_end_is_not_judged() -> None:
    row = Sitemap(SITEMAP, status=200, form="empty", complete=False)
    assert told(Audit(), row) == []
    row.complete = True
    assert told(Audit(), row) == [("sitemap-body-empty", "error")]


def test_a_rule_that_raises_is_counted_and_the_others_go_on() -> None:
    audit = Audit()
    audit._rules[Entry].insert(0, Picky())
    assert told(audit, listed("/a", "/b")) == [
        ("loc-not-absolute", "error"),
        ("picky", "notice"),
        ("loc-not-absolute", "error"),
    ]
    assert audit.broken == {"picky": 1}


def test_what_a_rule_found_before_it_raised_stays_found() -> None:
    audit = Audit({"clumsy": "warning"})
    audit._rules[Entry].append(Clumsy())
    assert told(audit, listed("https://www.example.com/a", "/b")) == [
        ("clumsy", "warning"),
        ("loc-not-absolute", "error"),
        ("clumsy", "warning"),
    ]
    assert audit.broken == {"clumsy": 2}


def test_a_rule_that_raises_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    audit = Audit()
    audit._rules[Entry].append(Picky())
    audit.examine(listed("https://www.example.com/a" + "a" * 10_000))
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ValueError)
    message = record.getMessage()
    assert message.startswith("Rule picky failed on Entry(")
    assert SITEMAP in message
    assert len(message) < 1_000


def test_a_query_that_fails_is_counted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    audit = Audit()
    try:
        int("no number")
    except ValueError:
        audit.report_broken("loc-duplicate", "the tables")
    assert audit.broken == {"loc-duplicate": 1}
    (record,) = caplog.records
    assert record.getMessage() == "Rule loc-duplicate failed on the tables"
    assert record.exc_info is not None


def test_an_audit_begins_with_nothing_broken() -> None:
    audit = Audit()
    audit.examine(Entries(SITEMAP, []))
    assert not audit.broken
