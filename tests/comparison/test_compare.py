"""Two runs compared: added and removed URLs, verdicts, new, fixed and unknown findings."""

import csv
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import Comparison, compare
from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.items import Error, Kind, Page, Sitemap, Verdict
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.comparable_rules import comparable_rules
from sitemapaudit.runs.folders import previous_run
from sitemapaudit.runs.manifest import Manifest
from tests.comparison.runs import HOST, Row, differences, moved_into
from tests.rules.site.linked import HOME, READ, ROBOTS
from tests.rules.tables import Item, manifest_of
from tests.support.commands import run_in_process, scrapy
from tests.support.rows import SITEMAP, fetched_page, linked_page, listed, rendered, sitemap_of
from tests.support.runs import build_audited_run, build_run

pytestmark = pytest.mark.xdist_group("compare")

A, B, C = (f"{HOST}/{name}" for name in "abc")


def missing(url: str) -> Page:
    return fetched_page(url, 404)


def fine(url: str, **values: Any) -> Page:
    page = fetched_page(url, noindex=False, canonical=url, content_type="text/html", is_html=True)
    return replace(page, **values)


Found = set[tuple[str, str | None, str | None]]
"""Each difference with its URL, and its rule or its verdicts."""


def only(*rules: str) -> dict[str, str]:
    """Return the severities that switch off all other rules."""
    return dict.fromkeys(Audit().rules.keys() - set(rules), "off")


def compared(
    tmp_path: Path, before: Iterable[Row], after: Iterable[Row]
) -> tuple[Comparison, Found]:
    """Compare two runs, which are built in the folders ``1`` and ``2``."""
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


TEXT = {"content_hash": "text", "words": 300}
CASES: Mapping[str, tuple[list[Row], list[Row], Found]] = {
    "added": ([listed(A), fine(A)], [listed(A, B), fine(A), fine(B)], {("added", B, None)}),
    "removed": ([listed(A, B), fine(A)], [listed(A), fine(A)], {("removed", B, None)}),
    "moved": (
        [listed(A, C), fine(A, **TEXT), fine(C)],
        [listed(B, C), fine(B, **TEXT), fine(C)],
        {("moved", B, None)},
    ),
    "verdicts": (
        [listed(A, B, C), missing(A), fine(B), missing(C)],
        [listed(A, B, C), fine(A), missing(B), missing(C)],
        {
            ("verdict-changed", A, "not-found-indexable"),
            ("verdict-changed", B, "indexable-not-found"),
            ("fixed", A, "page-not-found"),
            ("new", B, "page-not-found"),
        },
    ),
    "not-checked-again": (
        [listed(A, B), missing(A), missing(B)],
        [listed(A, B), fetched_page(A, None, error=Error.TIMEOUT)],
        {
            ("verdict-changed", A, "not-found-unreachable"),
            ("new", A, "page-timeout"),
            ("unknown", A, "page-not-found"),
            ("unknown", B, "page-not-found"),
        },
    ),
    "removed-with-a-finding": (
        [listed(A, B), missing(A), fine(B)],
        [listed(B), fine(B)],
        {("removed", A, None), ("fixed", A, "page-not-found")},
    ),
    "not-checked-before": (
        [listed(A, B), fetched_page(A, None, error=Error.TIMEOUT)],
        [listed(A, B), missing(A), missing(B)],
        {
            ("verdict-changed", A, "unreachable-not-found"),
            ("fixed", A, "page-timeout"),
            ("not-checked-before", A, "page-not-found"),
            ("not-checked-before", B, "page-not-found"),
        },
    ),
    "other-page-not-checked-again": (
        [listed(A, B), fine(A, **TEXT), fine(B, **TEXT)],
        [listed(A, B), fine(A, **TEXT)],
        {("unknown", A, "duplicate-content"), ("unknown", B, "duplicate-content")},
    ),
    "other-page-not-checked-before": (
        [listed(A, B), fine(A, **TEXT)],
        [listed(A, B), fine(A, **TEXT), fine(B, **TEXT)],
        {
            ("not-checked-before", A, "duplicate-content"),
            ("not-checked-before", B, "duplicate-content"),
        },
    ),
    "other-page-removed": (
        [listed(A, B), fine(A, **TEXT), fine(B, **TEXT)],
        [listed(A), fine(A, **TEXT)],
        {
            ("removed", B, None),
            ("fixed", A, "duplicate-content"),
            ("fixed", B, "duplicate-content"),
        },
    ),
    "with-a-browser": (
        [listed(A), fine(A)],
        [listed(A), fine(A), rendered(fine(A), Verdict.NOINDEX, noindex=True)],
        {("not-checked-before", A, "render-noindex-differs")},
    ),
    "without-a-browser": (
        [listed(A), fine(A), rendered(fine(A), Verdict.NOINDEX, noindex=True)],
        [listed(A), fine(A)],
        {("unknown", A, "render-noindex-differs")},
    ),
    "another-position": ([listed(f"{A}#x", B)], [listed(B, f"{A}#x")], set()),
}
"""The rows of both runs, and the differences."""


@dataclass(frozen=True)
class Pair:
    """Two runs with all cases, each in a folder of its own."""

    folder: Path
    comparison: Comparison
    found: Found


def rows_of_all(number: int) -> Iterator[Row]:
    """Yield the rows of all cases: of the first or the second run."""
    for name, case in CASES.items():
        yield from moved_into(name, case[number])


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder = tmp_path_factory.mktemp("pair")
    return Pair(folder, *compared(folder, rows_of_all(0), rows_of_all(1)))


@pytest.mark.parametrize("name", CASES)
def test_differences(pair: Pair, name: str) -> None:
    start = f"{HOST}/{name}/"
    found = {
        (change, f"{HOST}/{url.removeprefix(start)}", what)
        for change, url, what in pair.found
        if url is not None and url.startswith(start)
    }
    assert found == CASES[name][2]


def test_nothing_else_differs(pair: Pair) -> None:
    assert len(pair.found) == sum(len(expected) for *_, expected in CASES.values())


def test_the_comparison_counts_urls_verdicts_and_findings(pair: Pair) -> None:
    comparison = pair.comparison
    assert (comparison.added, comparison.removed, comparison.moved) == (1, 3, 1)
    assert comparison.rules["page-not-found", "error", "unchanged"] == 1
    assert comparison.verdicts == {
        ("indexable", "not-found"): 1,
        ("not-found", "indexable"): 1,
        ("not-found", "unreachable"): 1,
        ("unreachable", "not-found"): 1,
    }


def test_a_moved_url_is_neither_added_nor_removed(pair: Pair) -> None:
    (row,) = (row for row in differences(pair.folder / "2") if row["change"] == "moved")
    assert (row["previous_url"], row["before"], row["after"]) == (
        f"{HOST}/moved/a",
        "indexable",
        "indexable",
    )
    done = run_in_process("compare", str(pair.folder / "1"), str(pair.folder / "2"))
    assert "1 URL added, 3 removed, 1 moved" in done.stdout


@pytest.mark.parametrize(("again", "change"), [(60, "unknown"), (100, "fixed")])
def test_a_rate_of_too_few_known_urls_is_unknown(again: int, change: str, tmp_path: Path) -> None:
    places = [f"{HOST}/{number}" for number in range(100)]
    others = [f"https://other.example/{number}" for number in range(100)]
    pages = [*map(missing, places[:9]), *map(fine, places[9:] + others)]
    later = [*map(fine, places[:again] + others)]
    entries = listed(*places, *others)
    _, found = compared(tmp_path, [entries, *pages], [entries, *later])
    assert (change, HOST, "sitemap-dirt-rate") in found


def test_findings_on_entries_of_an_unread_sitemap_are_unknown(tmp_path: Path) -> None:
    repeated = listed(f"{A}#part")
    read, unread = Sitemap(SITEMAP, entries=1), Sitemap(SITEMAP, error=Error.TIMEOUT)
    _, found = compared(tmp_path, [read, repeated], [unread])
    assert ("unknown", A, "loc-fragment") in found


HALF_READ = (
    {"status": 403},
    {"status": 503},
    {"status": 200, "kind": Kind.URLSET, "truncated": True},
    {"status": 200, "kind": Kind.URLSET, "complete": False},
    {"status": 200, "kind": Kind.URLSET, "xml_error": "a tag is not closed"},
    {"status": 200, "kind": Kind.HTML},
    {"error": Error.TIMEOUT},
    {"error": Error.ENCODING, "status": 200},
)


@pytest.mark.parametrize("values", HALF_READ)
@pytest.mark.parametrize("index", [False, True])
def test_what_an_unread_sitemap_lists_is_unknown(
    values: dict[str, Any], index: bool, tmp_path: Path
) -> None:
    """The sitemap itself, or an index that listed it."""
    listing = Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=3)
    lost = Sitemap(f"{HOST}/index.xml" if index else SITEMAP, **values)
    others = [replace(lost, status=200, kind=Kind.SITEMAPINDEX)] if index else []
    whole: list[Row] = [*others, listing, listed(f"{A}#part", B), fine(A), missing(B)]
    for name, before, after, change in (
        ("later", whole, [lost], "unknown"),
        ("earlier", [lost], whole, "not-checked-before"),
    ):
        _, found = compared(tmp_path / name, before, after)
        assert (change, A, "loc-fragment") in found
        assert (change, B, "page-not-found") in found
        assert {kind for kind, url, _ in found if url in (A, B)} == {change}


def test_what_no_sitemap_lists_now_is_fixed(tmp_path: Path) -> None:
    listing = Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=3)
    whole: list[Row] = [listing, listed(f"{A}#part", B), fine(A), missing(B)]
    for name, now in (("gone", replace(listing, status=404)), ("empty", listing)):
        _, found = compared(tmp_path / name, whole, [now])
        assert {("fixed", A, "loc-fragment"), ("fixed", B, "page-not-found")} <= found
        assert {(kind, url) for kind, url, _ in found} >= {("removed", A), ("removed", B)}


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
    described = json.loads((first / "run.json").read_bytes())
    for site, found in (("https://WWW.example.com/a", first), ("a.example, b.example", None)):
        for run, given in ((first, site), (second, "example.com")):
            text = described | {"arguments": described["arguments"] | {"site": given}}
            (run / "run.json").write_text(json.dumps(text))
        assert previous_run(second) == (found and found.resolve())
    for run, given in ((first, "demo"), (second, "demo-later")):
        text = described | {"arguments": described["arguments"] | {"site": given}}
        (run / "run.json").write_text(json.dumps(text))
    assert previous_run(second) == first.resolve()
    sitemap = {"sitemap": "https://example.com/s.xml"}
    for own, same in (({"urls": "a.txt"}, {"urls": "b.txt"}), (sitemap, sitemap)):
        for run, more in ((first, {}), (second, own)):
            text = described | {"arguments": described["arguments"] | more}
            (run / "run.json").write_text(json.dumps(text))
        assert previous_run(second) is None
        assert previous_run(second, of_any_list=True) == first.resolve()
        text = described | {"arguments": described["arguments"] | same}
        (first / "run.json").write_text(json.dumps(text))
        assert previous_run(second) == first.resolve()
    done = run_in_process("compare", "--fail-on", "new", str(first))
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing to compare" in done.stdout


@pytest.mark.parametrize("site", ["example.com", "a.example"])
def test_runs_of_different_sites_are_named(audits: Path, site: str) -> None:
    runs = sorted((audits / "www.example.com").iterdir())
    for run, given in zip(runs, ("https://www.example.com", site), strict=True):
        described = json.loads((run / "run.json").read_bytes())
        described["arguments"]["site"] = given
        (run / "run.json").write_text(json.dumps(described))
    done = run_in_process("compare", *map(str, runs))
    assert ("These runs are of different sites" in done.stdout) is (site == "a.example")


@pytest.mark.parametrize(
    ("fail_on", "status"), [("never", 0), ("new", 1), ("notice", 1), ("error", 1)]
)
def test_fail_on_decides_the_exit_status(audits: Path, fail_on: str, status: int) -> None:
    done = run_in_process("compare", "--fail-on", fail_on, str(audits))
    assert done.returncode == status
    assert "indexable → not-found" in done.stdout
    assert "Findings: 1 new, 0 fixed" in done.stdout


def test_milder_findings_than_fail_on_give_status_0(tmp_path: Path) -> None:
    old, new = tmp_path / "1", tmp_path / "2"
    rules = only("loc-fragment")
    build_audited_run(old, [listed(A), fine(A)], rules=rules)
    build_audited_run(new, [listed(f"{A}#x"), fine(A)], rules=rules)
    for fail_on, status in (("error", 0), ("warning", 1)):
        assert (
            run_in_process("compare", "--fail-on", fail_on, str(old), str(new)).returncode == status
        )


def test_an_unreadable_earlier_run_affects_only_the_comparison(
    tmp_path: Path,
) -> None:
    old, new = tmp_path / "1", tmp_path / "2"
    build_run(old, [listed(A), fine(A)])
    build_run(new, [sitemap_of(listed(A)), listed(A), missing(A)])
    (old / "run.json").write_text("{", encoding="utf-8")
    done = scrapy("report", str(new))
    assert done.returncode == 0
    assert "could not be compared with the previous run" in done.stderr
    assert not (new / "comparison.parquet").exists()
    assert A in (new / "report.html").read_text(encoding="utf-8")


def test_junit_and_the_csv_file(audits: Path, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    assert run_in_process("compare", "--junit", str(file), str(audits)).returncode == 0
    suite = ET.parse(file).getroot()
    assert suite.attrib == {"name": "sitemapaudit", "tests": "3", "failures": "1"}
    _, incomplete, passed, case = suite
    assert incomplete.attrib["name"] == "audit-incomplete"
    assert passed.attrib == {"classname": "notice", "name": "lastmod-missing"}
    assert len(passed) == 0
    assert case.attrib == {"classname": "error", "name": "page-not-found"}
    assert case[0].attrib == {"message": "1 new"}
    assert (case[0].text or "").startswith(f"{B} returns 404")
    newest = max((audits / "www.example.com").iterdir())
    with (newest / "comparison.csv").open(encoding="utf-8-sig", newline="") as text:
        rows = list(csv.DictReader(text))
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


def test_a_finding_whose_rule_was_not_checked_is_unknown(tmp_path: Path) -> None:
    rule, other = "page-not-found", "canonical-missing"
    kept = only(rule, other)
    old, new, without = (tmp_path / name for name in ("1", "2", "without"))
    bare = replace(fine(B), canonical=None, bytes=9)
    build_audited_run(old, [listed(A, B), missing(A), bare], rules=kept)
    after: list[Row] = [listed(A, B), fine(A, bytes=9), bare]
    later = build_audited_run(new, after, rules=kept).manifest
    switched_off = build_audited_run(without, after, rules=kept | {rule: "off"}).manifest
    assert (rule in later.checked_rules, rule in switched_off.checked_rules) == (True, False)

    def count_changes(run: Path) -> tuple[int, int]:
        changes = compare(old, run, 256, Audit()).changes
        return changes["fixed"], changes["unknown"]

    assert (count_changes(new), count_changes(without)) == ((1, 0), (0, 1))
    # A rule that does not exist any more.
    later.checked_rules.remove(rule)
    later.write(new)
    assert count_changes(new) == (0, 1)


ORPHAN, DEEP = "orphan-no-inlinks", "listed-deep"
SITE_OF_LINKS: list[Item] = [ROBOTS, READ, listed(HOME, A, B), *map(linked_page, (HOME, A, B))]


def test_a_rule_that_could_not_check_the_other_run_says_nothing_about_it(tmp_path: Path) -> None:
    without, recorded = tmp_path / "1", tmp_path / "2"
    for folder, links in ((without, "none"), (recorded, "record")):
        build_audited_run(folder, SITE_OF_LINKS, rules=only(ORPHAN), links=links, site=HOST)
    assert Manifest.read(without).checked_rules == []
    done = run_in_process("compare", "--fail-on", "new", str(without), str(recorded))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"2 more findings, not checked before: {ORPHAN} \N{MULTIPLICATION SIGN}2" in done.stdout
    assert "+2 not checked before" in (recorded / "report.html").read_text(encoding="utf-8")
    assert compare(recorded, without, 256, Audit()).changes["unknown"] == 2


def checked(rule: str, **values: Any) -> Manifest:
    manifest = manifest_of(**values)
    manifest.checked_rules = [rule]
    return manifest


@pytest.mark.parametrize(
    ("rule", "before", "after", "alike"),
    [
        (ORPHAN, {"links": "record"}, {"links": "record"}, True),
        (ORPHAN, {"links": "record"}, {"links": "crawl"}, False),
        (ORPHAN, {"pages": "all"}, {"pages": 500}, False),
        ("canonical-chain", {"follow": "redirect,canonical"}, {"follow": "canonical"}, True),
        ("canonical-chain", {"follow": "redirect"}, {"follow": "canonical"}, False),
        ("staging-origin-leaked", {"staging": "https://a"}, {"staging": "https://b"}, True),
        ("page-not-found", {"links": "none", "pages": 500}, {"links": "record"}, True),
    ],
)
def test_arguments_decide_which_rules_checked_two_runs_alike(
    rule: str, before: dict[str, Any], after: dict[str, Any], alike: bool
) -> None:
    old, new = checked(rule, **before), checked(rule, **after)
    assert comparable_rules(old, new, catalog()) == ({rule} if alike else set())
    assert comparable_rules(new, old, catalog()) == ({rule} if alike else set())


def test_a_rule_that_finds_something_else_since_is_not_comparable() -> None:
    old, new = checked(DEEP), checked(DEEP)
    new.rule_editions = {DEEP: "2"}
    assert comparable_rules(old, new, catalog()) == comparable_rules(new, old, {}) == set()
    old.rule_editions = {DEEP: "2"}
    assert comparable_rules(old, new, catalog()) == {DEEP}


def test_settings_count_and_a_rule_that_failed_did_not_check() -> None:
    old, new = checked(DEEP), checked(DEEP)
    old.settings, new.settings = {"AUDIT_DEEP_CLICKS": 5}, {"AUDIT_DEEP_CLICKS": 5}
    assert comparable_rules(old, new, catalog()) == {DEEP}
    new.settings["AUDIT_DEEP_CLICKS"] = 3
    assert comparable_rules(old, new, catalog()) == set()
    new.broken_rules = {DEEP: 1}
    assert comparable_rules(old, new, catalog()) == {DEEP}
    assert comparable_rules(new, old, catalog()) == set()


def test_each_choice_is_an_argument_or_a_setting() -> None:
    known = {option.name for option in Arguments.describe()}
    settings = {option.name for option in AuditSettings.describe()}
    for rule in catalog().values():
        for choice in rule.depends_on:
            assert choice.name in known or f"AUDIT_{choice.name.upper()}" in settings
