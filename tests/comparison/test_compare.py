"""Two runs compared: URLs that came and went, verdicts, findings new, mended and not known."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from sitemapaudit.comparison.comparing import Comparison, compare
from sitemapaudit.datasets.folders import run_before
from sitemapaudit.items import Error, Page, Sitemap, Verdict
from tests.comparison.runs import Row, differences
from tests.support import SITEMAP, answered, build_run, listed, rendered, scrapy

HOST = "https://www.example.com"
A, B, C = (f"{HOST}/{name}" for name in "abc")


def gone(url: str) -> Page:
    return answered(url, 404)


def fine(url: str, **values: Any) -> Page:
    page = answered(url, noindex=False, canonical=url, content_type="text/html", html=True)
    return replace(page, **values)


def compared(
    tmp_path: Path, before: Sequence[Row], after: Sequence[Row]
) -> tuple[Comparison, set[tuple[str, str | None, str | None]]]:
    """Compare two runs made of rows; return each difference with its URL and rule or verdicts."""
    old, new = tmp_path / "1", tmp_path / "2"
    build_run(old, before)
    build_run(new, after)
    comparison = compare(old, new, 256)
    told = {
        (
            row["change"],
            row["url"],
            f"{row['before']}-{row['after']}" if row["change"] == "verdict" else row["rule"],
        )
        for row in differences(new)
    }
    return comparison, told


def test_urls_that_came_and_went(tmp_path: Path) -> None:
    comparison, told = compared(tmp_path, [listed(A, B), fine(A)], [listed(B, C), fine(C)])
    assert {("went", A, None), ("came", C, None)} <= told
    assert (comparison.came, comparison.went) == (1, 1)


def test_verdicts_and_findings(tmp_path: Path) -> None:
    comparison, told = compared(
        tmp_path,
        [listed(A, B, C), gone(A), fine(B), gone(C)],
        [listed(A, B, C), fine(A), gone(B), gone(C)],
    )
    assert told == {
        ("verdict", A, "not-found-indexable"),
        ("verdict", B, "indexable-not-found"),
        ("mended", A, "page-not-found"),
        ("new", B, "page-not-found"),
    }
    assert comparison.rules["page-not-found", "error", "unchanged"] == 1
    assert comparison.verdicts == {("indexable", "not-found"): 1, ("not-found", "indexable"): 1}


def test_nothing_is_called_mended_that_was_not_looked_at(tmp_path: Path) -> None:
    before: list[Row] = [listed(A, B), gone(A), gone(B)]
    after: list[Row] = [listed(A, B), answered(A, None, error=Error.TIMEOUT)]
    _, told = compared(tmp_path, before, after)
    assert {("unknown", A, "page-not-found"), ("unknown", B, "page-not-found")} <= told
    assert ("verdict", A, "not-found-unreachable") in told
    assert {what for change, url, what in told if url == B} == {"page-not-found"}


def test_what_is_no_longer_listed_is_mended(tmp_path: Path) -> None:
    _, told = compared(tmp_path, [listed(A, B), gone(A), fine(B)], [listed(B), fine(B)])
    assert told == {("went", A, None), ("mended", A, "page-not-found")}


def test_a_run_without_a_browser_mends_nothing_that_one_has_found(tmp_path: Path) -> None:
    page = fine(A)
    shown = rendered(page, Verdict.NOINDEX, noindex=True)
    _, told = compared(tmp_path, [listed(A), page, shown], [listed(A), page])
    assert told == {("unknown", A, "render-noindex-differs")}


def test_a_sitemap_that_was_not_read_mends_none_of_its_entries(tmp_path: Path) -> None:
    repeated = listed(f"{A}#part")
    read, unread = Sitemap(SITEMAP, entries=1), Sitemap(SITEMAP, error=Error.TIMEOUT)
    _, told = compared(tmp_path, [read, repeated], [unread])
    assert ("unknown", A, "loc-fragment") in told


def test_the_same_fault_at_another_position_is_the_same(tmp_path: Path) -> None:
    _, told = compared(tmp_path, [listed(f"{A}#x", B)], [listed(B, f"{A}#x")])
    assert told == set()


@pytest.fixture
def audits(tmp_path: Path) -> Path:
    """Return a folder with two runs of a site, of which the later has a fault more."""
    folder = tmp_path / "www.example.com"
    build_run(folder / "2026-11-20T00-00-00Z", [listed(A, B), fine(A), fine(B)])
    build_run(folder / "2026-11-21T00-00-00Z", [listed(A, B), fine(A), gone(B)])
    return tmp_path


def test_the_run_before_is_found(audits: Path) -> None:
    first, second = sorted((audits / "www.example.com").iterdir())
    assert run_before(second) == first.resolve()
    assert run_before(first) is None
    done = scrapy("compare", "--fail-on", "new", str(first))
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing to compare" in done.stdout


@pytest.mark.parametrize(
    ("fail_on", "status"), [("never", 0), ("new", 1), ("notice", 1), ("warning", 1), ("error", 1)]
)
def test_a_gate(audits: Path, fail_on: str, status: int) -> None:
    done = scrapy("compare", "--fail-on", fail_on, str(audits))
    assert done.returncode == status
    assert "indexable → not-found" in done.stdout
    assert "Findings: 1 new, 0 mended" in done.stdout


def test_a_gate_lets_milder_findings_pass(tmp_path: Path) -> None:
    old, new = tmp_path / "1", tmp_path / "2"
    build_run(old, [listed(A), fine(A)])
    build_run(new, [listed(f"{A}#x"), fine(A)])
    for fail_on, status in (("error", 0), ("warning", 1)):
        assert scrapy("compare", "--fail-on", fail_on, str(old), str(new)).returncode == status


def test_an_earlier_run_that_cannot_be_read_costs_no_more_than_the_comparison(
    tmp_path: Path,
) -> None:
    old, new = tmp_path / "1", tmp_path / "2"
    build_run(old, [listed(A), fine(A)])
    build_run(new, [listed(A), gone(A)])
    (old / "run.json").write_text("{", encoding="utf-8")
    done = scrapy("report", str(new))
    assert done.returncode == 0
    assert "could not be compared with the run before" in done.stderr
    assert not (new / "comparison.parquet").exists()
    assert A in (new / "report.html").read_text(encoding="utf-8")


def test_junit(audits: Path, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    assert scrapy("compare", "--junit", str(file), str(audits)).returncode == 0
    suite = ET.parse(file).getroot()
    assert suite.attrib == {"name": "sitemapaudit", "tests": "2", "failures": "1"}
    passed, case = suite
    assert passed.attrib == {"classname": "notice", "name": "lastmod-missing"}
    assert len(passed) == 0
    assert case.attrib == {"classname": "error", "name": "page-not-found"}
    assert case[0].attrib == {"message": "1 new"}
    assert (case[0].text or "").startswith(f"{B} answers 404")


def test_the_table_for_spreadsheets(audits: Path) -> None:
    assert scrapy("compare", str(audits)).returncode == 0
    newest = max((audits / "www.example.com").iterdir())
    with (newest / "comparison.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["change"] for row in rows] == ["new", "verdict"]
    assert not (newest / "scratch").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["{audits}/nothing"], "no run folder"),
        (["{newest}", "{newest}"], "cannot be compared with itself"),
    ],
)
def test_what_is_wrong_is_one_sentence(audits: Path, words: list[str], sentence: str) -> None:
    oldest, newest = sorted((audits / "www.example.com").iterdir())
    places = {"audits": audits, "oldest": oldest, "newest": newest}
    done = scrapy("compare", *(word.format(**places) for word in words))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
