"""Rules that compare two runs: only a comparison uses them, with the severities of the settings."""

import csv
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import compare, compare_with_previous
from sitemapaudit.items import Kind, Permission, Robots, Sitemap, SitemapSource
from sitemapaudit.rules.catalog import catalog, single_run_rules
from sitemapaudit.rules.rule import ComparisonRule
from sitemapaudit.runs.manifest import Status
from tests.comparison.runs import differences
from tests.support.commands import run_in_process
from tests.support.rows import SITEMAP
from tests.support.runs import build_audited_run

pytestmark = pytest.mark.xdist_group("compare")

RULE = "sitemap-changed-sharply"
HALVED = "listed 100 entries in the earlier run, and lists 50 now, 50.0 % fewer"


@pytest.fixture(scope="module")
def uncompared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two runs: in the second, a sitemap has half as many entries."""
    folder = tmp_path_factory.mktemp("uncompared")
    for name, entries in (("1", 100), ("2", 50)):
        file = Sitemap(SITEMAP, kind=Kind.URLSET, status=200, entries=entries)
        build_audited_run(folder / name, [file])
    return folder


@pytest.fixture
def runs(uncompared: Path, tmp_path: Path) -> list[str]:
    """Return copies of both run folders: a comparison writes into them."""
    return [str(shutil.copytree(uncompared / name, tmp_path / name)) for name in "12"]


def compare_by_command(*words: str, runs: Sequence[str]) -> tuple[int, str]:
    done = run_in_process("compare", *words, *runs)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_only_a_comparison_uses_them(runs: list[str]) -> None:
    both = {name for name, rule in catalog().items() if issubclass(rule, ComparisonRule)}
    audit = Audit()
    assert (
        {rule.id for rule in audit.comparisons} == both == {RULE, "lastmod-untrue", "sitemap-stale"}
    )
    assert not {rule.id for rule in audit.queries} & both
    assert single_run_rules(catalog()).keys() == catalog().keys() - both


def test_every_rule_runs(tmp_path: Path) -> None:
    for name in "12":
        build_audited_run(tmp_path / name, [])
    assert compare(tmp_path / "1", tmp_path / "2", 256, Audit()).broken == {}


def test_their_findings_are_always_new(runs: list[str]) -> None:
    status, output = compare_by_command(runs=runs)
    assert status == 0
    assert "Findings: 1 new, 0 fixed" in output
    assert f"warning  {RULE}  +1  -0" in " ".join(output.split("\n"))
    (row,) = differences(Path(runs[1]))
    evidence = {"before": 100, "after": 50, "outcome": "lists 50 now, 50.0 % fewer"}
    assert json.loads(row["evidence"]) == evidence
    with (Path(runs[1]) / "comparison.csv").open(encoding="utf-8-sig", newline="") as file:
        (line,) = csv.DictReader(file)
    assert (line["change"], line["rule"], line["sitemap"]) == ("new", RULE, SITEMAP)
    assert (line["url"], line["message"]) == ("", HALVED)


@pytest.mark.parametrize(("fail_on", "status"), [("warning", 1), ("error", 0)])
def test_fail_on_decides_the_exit_status(runs: list[str], fail_on: str, status: int) -> None:
    assert compare_by_command("--fail-on", fail_on, runs=runs)[0] == status


def test_junit(runs: list[str], tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    compare_by_command("--junit", str(file), runs=runs)
    case = ET.parse(file).getroot().find(f"testcase[@name='{RULE}']")
    assert case is not None
    assert case.attrib["classname"] == "warning"
    assert case[0].text == f"{SITEMAP} {HALVED}"


@pytest.mark.parametrize(("chosen", "severities"), [("off", []), ("error", ["error"])])
def test_the_severity_in_the_settings_applies(
    runs: list[str], chosen: str, severities: list[str]
) -> None:
    rules = json.dumps({RULE: chosen})
    status, _ = compare_by_command("-s", f"AUDIT_RULES={rules}", "--fail-on", "error", runs=runs)
    assert [row["severity"] for row in differences(Path(runs[1]))] == severities
    assert status == len(severities)


def test_a_rule_that_fails_is_counted_and_the_others_continue(
    runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = catalog()["lastmod-untrue"]
    monkeypatch.setattr(rule, "needs", ())
    monkeypatch.setattr(rule, "query", "select nothing from nowhere")
    comparison = compare(Path(runs[0]), Path(runs[1]), 256, Audit())
    assert comparison.broken == {"lastmod-untrue": 1}
    assert comparison.findings("new") == 1


def test_a_comparison_at_the_end_of_a_run_uses_the_status_that_is_not_written_yet(
    tmp_path: Path,
) -> None:
    site = SITEMAP.removesuffix("/sitemap.xml")
    robots = Robots(
        site, f"{site}/robots.txt", permission=Permission.RULES, well_known_tried=[SITEMAP]
    )
    file = Sitemap(
        SITEMAP, source=SitemapSource.WELL_KNOWN, kind=Kind.URLSET, status=200, entries=1
    )
    build_audited_run(tmp_path / "1", [robots, file])
    new = build_audited_run(tmp_path / "2", [robots])
    ended = new.manifest
    for status, number in ((Status.INTERRUPTED, 0), (Status.FINISHED, 1)):
        ended.status = status
        comparison = compare_with_previous(new.path, 256, ended, Audit())
        assert comparison is not None
        assert comparison.rules.get((RULE, "warning", "new"), 0) == number
    ended.status = Status.RUNNING
    ended.write(new.path)
    ended.status = Status.FINISHED
    comparison = compare_with_previous(new.path, 256, ended, Audit({RULE: "error"}))
    assert comparison is not None
    assert comparison.rules[RULE, "error", "new"] == 1
