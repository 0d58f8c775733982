"""priority-identical: at least ten entries have a priority, and all have the same."""

import pytest

from sitemapaudit.items import Entries
from tests.pages.responses import SITE
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import SITEMAP, listed

RULE = "priority-identical"
B = f"{SITE}/b.xml"


def prioritized(*priorities: str | None, sitemap: str = SITEMAP) -> Entries:
    entries = listed(*(f"{SITE}/{number}" for number in range(len(priorities))), sitemap=sitemap)
    for row, priority in zip(entries.rows, priorities, strict=True):
        row.priority = priority
    return entries


@pytest.mark.parametrize(
    ("priorities", "found"),
    [
        (["0.5"] * 9, False),
        (["0.5"] * 10, True),
        (["0.5"] * 10 + ["0.6"], False),
        (["0.5"] * 9 + ["0.50"], True),
        (["1"] * 5 + ["1.0"] * 5, True),
        (["0"] * 10, True),
        ([".5"] * 5 + ["\n 0.5\t"] * 5, True),
        # Entries without a valid priority do not count.
        (["0.5"] * 9 + [None] * 9, False),
        (["0.5"] * 10 + [None] * 9, True),
        (["0.5"] * 10 + ["high", "", "0,5", "1.1", "-0.1", "nan", "inf"], True),
        (["0.5"] * 9 + ["high"], False),
        (["high"] * 10, False),
        (["2.0"] * 10, False),
        (["nan"] * 10, False),
    ],
)
def test_priorities(priorities: list[str | None], found: bool) -> None:
    findings = rule_on(tables_of([prioritized(*priorities)], RULE), RULE)
    assert [finding[:2] for finding in findings] == [(SITE, "notice")] * found


@pytest.mark.parametrize(("second", "found"), [("0.5", True), ("0.8", False)])
def test_all_files_of_a_site_count_together(second: str, found: bool) -> None:
    run = tables_of([prioritized(*["0.5"] * 5), prioritized(*[second] * 5, sitemap=B)], RULE)
    assert len(rule_on(run, RULE)) == found


def test_each_site_is_checked_on_its_own() -> None:
    there = prioritized(*["0.8"] * 10, sitemap="https://other.example/sitemap.xml")
    run = tables_of([prioritized(*["0.5"] * 10), there], RULE)
    assert [url for url, _, _ in rule_on(run, RULE)] == ["https://other.example", SITE]


def test_message() -> None:
    run = tables_of([prioritized(*["0.80"] * 12)], RULE)
    message = "all 12 priorities are 0.8"
    assert rule_on(run, RULE) == [(SITE, "notice", message)]
    (finding,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (finding.sitemap, finding.position, finding.subject) == (SITEMAP, 1, "site")
