"""Two runs compared: added and removed URLs, verdicts, new, fixed and unknown findings."""

import csv
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import Comparison, compare
from sitemapaudit.items import Error, Page, Sitemap, Verdict
from sitemapaudit.runs.folders import previous_run
from tests.comparison.runs import Row, differences
from tests.support import (
    SITEMAP,
    build_audited_run,
    fetched_page,
    listed,
    rendered,
    run_in_process,
    scrapy,
    sitemap_of,
)

pytestmark = pytest.mark.xdist_group("compare")

HOST = "https://www.example.com"
A, B, C = (f"{HOST}/{name}" for name in "abc")


def missing(url: str) -> Page:
    return fetched_page(url, 404)


def fine(url: str, **values: Any) -> Page:
    page = fetched_page(url, noindex=False, canonical=url, content_type="text/html", is_html=True)
    return replace(page, **values)


def compared(
    tmp_path: Path, before: Sequence[Row], after: Sequence[Row]
) -> tuple[Comparison, set[tuple[str, str | None, str | None]]]:
    """Compare two runs; return each difference with its URL, and its rule or its verdicts."""
    old, new = tmp_path / "1", tmp_path / "2"
    build_audited_run(old, before)
    build_audited_run(new, after)
    comparison = compare(old, new, 256, Audit())
    found = {
        (
            row["change"],
            row["url"],
            f"{row['before']}-{row['after']}"
            if row["change"] == "verdict-changed"
            else row["rule"],
        )
        for row in differences(new)
    }
    return comparison, found


def test_added_and_removed_urls(tmp_path: Path) -> None:
    comparison, found = compared(tmp_path, [listed(A, B), fine(A)], [listed(B, C), fine(C)])
    assert {("removed", A, None), ("added", C, None)} <= found
    assert (comparison.added, comparison.removed) == (1, 1)


def test_a_moved_url_is_neither_added_nor_removed(tmp_path: Path) -> None:
    text = {"content_hash": "text", "words": 300}
    before: list[Row] = [listed(A, C), fine(A, **text), fine(C)]
    after: list[Row] = [listed(B, C), fine(B, **text), fine(C)]
    comparison, found = compared(tmp_path, before, after)
    assert {row for row in found if row[0] in ("moved", "added", "removed")} == {("moved", B, None)}
    assert (comparison.added, comparison.removed, comparison.moved) == (0, 0, 1)
    (row,) = (row for row in differences(tmp_path / "2") if row["change"] == "moved")
    assert (row["previous_url"], row["before"], row["after"]) == (A, "indexable", "indexable")
    done = run_in_process("compare", str(tmp_path / "1"), str(tmp_path / "2"))
    assert "0 URLs added, 0 removed, 1 moved" in done.stdout


def test_verdicts_and_findings(tmp_path: Path) -> None:
    comparison, found = compared(
        tmp_path,
        [listed(A, B, C), missing(A), fine(B), missing(C)],
        [listed(A, B, C), fine(A), missing(B), missing(C)],
    )
    assert found == {
        ("verdict-changed", A, "not-found-indexable"),
        ("verdict-changed", B, "indexable-not-found"),
        ("fixed", A, "page-not-found"),
        ("new", B, "page-not-found"),
    }
    assert comparison.rules["page-not-found", "error", "unchanged"] == 1
    assert comparison.verdicts == {("indexable", "not-found"): 1, ("not-found", "indexable"): 1}


def test_a_finding_is_unknown_if_its_page_was_not_checked_again(tmp_path: Path) -> None:
    before: list[Row] = [listed(A, B), missing(A), missing(B)]
    after: list[Row] = [listed(A, B), fetched_page(A, None, error=Error.TIMEOUT)]
    _, found = compared(tmp_path, before, after)
    assert {("unknown", A, "page-not-found"), ("unknown", B, "page-not-found")} <= found
    assert ("verdict-changed", A, "not-found-unreachable") in found
    assert {rule for _, url, rule in found if url == B} == {"page-not-found"}


def test_a_finding_on_a_removed_url_is_fixed(tmp_path: Path) -> None:
    _, found = compared(tmp_path, [listed(A, B), missing(A), fine(B)], [listed(B), fine(B)])
    assert found == {("removed", A, None), ("fixed", A, "page-not-found")}


def test_without_a_browser_findings_of_rendering_are_unknown(tmp_path: Path) -> None:
    page = fine(A)
    rendering = rendered(page, Verdict.NOINDEX, noindex=True)
    _, found = compared(tmp_path, [listed(A), page, rendering], [listed(A), page])
    assert found == {("unknown", A, "render-noindex-differs")}


def test_findings_on_entries_of_an_unread_sitemap_are_unknown(tmp_path: Path) -> None:
    repeated = listed(f"{A}#part")
    read, unread = Sitemap(SITEMAP, entries=1), Sitemap(SITEMAP, error=Error.TIMEOUT)
    _, found = compared(tmp_path, [read, repeated], [unread])
    assert ("unknown", A, "loc-fragment") in found


def test_the_same_finding_at_another_position_is_unchanged(tmp_path: Path) -> None:
    _, found = compared(tmp_path, [listed(f"{A}#x", B)], [listed(B, f"{A}#x")])
    assert found == set()


@pytest.fixture(scope="module")
def uncompared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two runs of a site; the later run has one more finding."""
    audits = tmp_path_factory.mktemp("uncompared")
    folder = audits / "www.example.com"
    build_audited_run(folder / "2026-11-20T00-00-00Z", [listed(A, B), fine(A), fine(B)])
    build_audited_run(folder / "2026-11-21T00-00-00Z", [listed(A, B), fine(A), missing(B)])
    return audits


@pytest.fixture
def audits(uncompared: Path, tmp_path: Path) -> Path:
    """Return a copy of the folder: a comparison writes into it."""
    return shutil.copytree(uncompared, tmp_path / "audits")


def test_the_previous_run_is_found(audits: Path) -> None:
    first, second = sorted((audits / "www.example.com").iterdir())
    assert previous_run(second) == first.resolve()
    assert previous_run(first) is None
    done = run_in_process("compare", "--fail-on", "new", str(first))
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing to compare" in done.stdout


@pytest.mark.parametrize(
    ("fail_on", "status"), [("never", 0), ("new", 1), ("notice", 1), ("warning", 1), ("error", 1)]
)
def test_fail_on_decides_the_exit_status(audits: Path, fail_on: str, status: int) -> None:
    done = run_in_process("compare", "--fail-on", fail_on, str(audits))
    assert done.returncode == status
    assert "indexable → not-found" in done.stdout
    assert "Findings: 1 new, 0 fixed" in done.stdout


def test_milder_findings_than_fail_on_give_status_0(tmp_path: Path) -> None:
    old, new = tmp_path / "1", tmp_path / "2"
    build_audited_run(old, [listed(A), fine(A)])
    build_audited_run(new, [listed(f"{A}#x"), fine(A)])
    for fail_on, status in (("error", 0), ("warning", 1)):
        assert (
            run_in_process("compare", "--fail-on", fail_on, str(old), str(new)).returncode == status
        )


def test_an_unreadable_earlier_run_affects_only_the_comparison(
    tmp_path: Path,
) -> None:
    old, new = tmp_path / "1", tmp_path / "2"
    build_audited_run(old, [listed(A), fine(A)])
    build_audited_run(new, [sitemap_of(listed(A)), listed(A), missing(A)])
    (old / "run.json").write_text("{", encoding="utf-8")
    done = scrapy("report", str(new))
    assert done.returncode == 0
    assert "could not be compared with the previous run" in done.stderr
    assert not (new / "comparison.parquet").exists()
    assert A in (new / "report.html").read_text(encoding="utf-8")


def test_junit(audits: Path, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    assert run_in_process("compare", "--junit", str(file), str(audits)).returncode == 0
    suite = ET.parse(file).getroot()
    assert suite.attrib == {"name": "sitemapaudit", "tests": "2", "failures": "1"}
    passed, case = suite
    assert passed.attrib == {"classname": "notice", "name": "lastmod-missing"}
    assert len(passed) == 0
    assert case.attrib == {"classname": "error", "name": "page-not-found"}
    assert case[0].attrib == {"message": "1 new"}
    assert (case[0].text or "").startswith(f"{B} returns 404")


def test_the_csv_file(audits: Path) -> None:
    assert run_in_process("compare", str(audits)).returncode == 0
    newest = max((audits / "www.example.com").iterdir())
    with (newest / "comparison.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["change"] for row in rows] == ["new", "verdict-changed"]
    assert not (newest / "scratch").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["{audits}/nothing"], "no run folder"),
        (["{newest}", "{newest}"], "cannot be compared with itself"),
    ],
)
def test_a_mistake_is_one_sentence(audits: Path, words: list[str], sentence: str) -> None:
    oldest, newest = sorted((audits / "www.example.com").iterdir())
    places = {"audits": audits, "oldest": oldest, "newest": newest}
    done = run_in_process("compare", *(word.format(**places) for word in words))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("switched_off", [True, False])
def test_a_finding_whose_rule_was_not_checked_is_unknown(
    tmp_path: Path, switched_off: bool
) -> None:
    rule, other = "page-not-found", "canonical-missing"
    kept = {name: "off" for name in Audit().rules if name not in (rule, other)}
    old, new = tmp_path / "1", tmp_path / "2"
    bare = replace(fine(B), canonical=None, bytes=9)
    build_audited_run(old, [listed(A, B), missing(A), bare], rules=kept)
    later = kept | {rule: "off"} if switched_off else kept
    run = build_audited_run(new, [listed(A, B), fine(A, bytes=9), bare], rules=later)
    assert rule not in run.manifest.checked_rules or not switched_off
    comparison = compare(old, new, 256, Audit())
    assert comparison.changes["unknown" if switched_off else "fixed"] == 1
    assert comparison.changes["fixed" if switched_off else "unknown"] == 0


def test_a_finding_of_a_rule_that_is_gone_is_unknown(tmp_path: Path) -> None:
    old, new = tmp_path / "1", tmp_path / "2"
    left = ("page-not-found", "page-timeout")
    kept = {name: "off" for name in Audit().rules if name not in left}
    build_audited_run(old, [listed(A), missing(A)], rules=kept)
    later = build_audited_run(new, [listed(A), fine(A)], rules=kept).manifest
    later.checked_rules.remove("page-not-found")
    later.write(new)
    assert compare(old, new, 256, Audit()).changes["unknown"] == 1
