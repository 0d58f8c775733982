"""priority-identical: at least ten entries have a priority, and it is the same for all."""

from pathlib import Path

import pytest

from sitemapaudit.items import Entries
from tests.pages.answers import SITE
from tests.support import SITEMAP, build_run, listed, rule_on

RULE = "priority-identical"
B = f"{SITE}/b.xml"


def ranked(*priorities: str | None, sitemap: str = SITEMAP) -> Entries:
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
        # Entries without one, or with one that is none, do not count.
        (["0.5"] * 9 + [None] * 9, False),
        (["0.5"] * 10 + [None] * 9, True),
        (["0.5"] * 10 + ["high", "", "0,5", "1.1", "-0.1", "nan", "inf"], True),
        (["0.5"] * 9 + ["high"], False),
        (["high"] * 10, False),
        (["2.0"] * 10, False),
        (["nan"] * 10, False),
    ],
)
def test_priorities(tmp_path: Path, priorities: list[str | None], found: bool) -> None:
    findings = rule_on(build_run(tmp_path, [ranked(*priorities)]), RULE)
    assert [finding[:2] for finding in findings] == [(f"{SITE}/", "notice")] * found


@pytest.mark.parametrize(("second", "found"), [("0.5", True), ("0.8", False)])
def test_the_files_of_a_site_count_together(tmp_path: Path, second: str, found: bool) -> None:
    run = build_run(tmp_path, [ranked(*["0.5"] * 5), ranked(*[second] * 5, sitemap=B)])
    assert len(rule_on(run, RULE)) == found


def test_each_site_by_itself(tmp_path: Path) -> None:
    there = ranked(*["0.8"] * 10, sitemap="https://other.example/sitemap.xml")
    run = build_run(tmp_path, [ranked(*["0.5"] * 10), there])
    assert [url for url, _, _ in rule_on(run, RULE)] == ["https://other.example/", f"{SITE}/"]


def test_message(tmp_path: Path) -> None:
    run = build_run(tmp_path, [ranked(*["0.80"] * 12)])
    message = "gives each of 12 entries the priority 0.8"
    assert rule_on(run, RULE) == [(f"{SITE}/", "notice", message)]
    (finding,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (finding.sitemap, finding.subject) == (SITEMAP, "site")
