"""What JUnit, GitHub and GitLab are told."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from sitemapaudit.gating.decision import Conditions, decide
from sitemapaudit.gating.findings import GateFinding
from sitemapaudit.gating.github import append_summary, workflow_commands
from sitemapaudit.gating.places import BuildFolder
from sitemapaudit.gating.sarif import MAX_RESULTS, write_sarif
from sitemapaudit.items import Severity
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.manifest import Manifest
from tests.gating.test_decisions import SITE, finding, make_run, manifest
from tests.support import run_in_process


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_run(tmp_path)


def commands(*findings: GateFinding, folder: BuildFolder | None = None) -> list[str]:
    decision = decide(manifest(), findings, Conditions(fail_on="notice"))
    return list(workflow_commands(decision, folder))


def test_junit_has_a_case_per_checked_rule(run: Path) -> None:
    run_in_process("gate", "--run", str(run))
    suite = ET.parse(run / "junit.xml").getroot()
    cases = {case.get("name"): case for case in suite}
    checked = Manifest.read(run).checked_rules
    assert cases.keys() == {*checked, "gate"}
    assert suite.get("tests") == str(len(checked) + 1)
    assert suite.get("failures") == "1"
    failure = cases["page-not-found"].find("failure")
    assert failure is not None
    assert failure.get("message") == "2 found"
    assert failure.text == f"error: {SITE}/b: returns 404\nerror: {SITE}/c: returns 404"


def test_junit_says_what_else_failed(run: Path) -> None:
    run_in_process("gate", "--run", str(run), "--fail-on", "never", "--min-share", "0.5")
    suite = ET.parse(run / "junit.xml").getroot()
    (failure,) = suite.iter("failure")
    assert str(failure.get("message")).startswith("the indexable share is 33.3")


def test_annotations_are_escaped_and_at_most_ten_of_a_kind() -> None:
    many = [finding(place=f"/{number}", url=f"{SITE}/{number}") for number in range(12)]
    notice = finding("x", severity=Severity.NOTICE, message="100 %\n::error::no", url=f"{SITE}/n")
    found = commands(*many, notice)
    assert len(found) == 11
    assert found[0] == f"::error title=page-not-found::{SITE}/0: returns 404"
    assert found[-1] == f"::notice title=x::{SITE}/n: 100 %25%0A::error::no"


def test_annotations_of_a_build_name_its_files(tmp_path: Path) -> None:
    folder = BuildFolder(tmp_path / "public", tmp_path)
    of_page = finding(url=f"{SITE}/a", file="a, b:c.html")
    of_entry = finding(url=f"{SITE}/b", sitemap=f"{SITE}/sub/sitemap.xml", line=7)
    assert [
        line.partition("::" + "http")[0] for line in commands(of_page, of_entry, folder=folder)
    ] == [
        "::error title=page-not-found,file=public/a%2C b%3Ac.html,line=1".partition("::http")[0]
        + "",
        "::error title=page-not-found,file=public/sub/sitemap.xml,line=7",
    ]


def test_github_gets_a_summary_and_outputs(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        (tmp_path / name).write_text("before\n")
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    done = run_in_process("gate", "--run", str(run))
    assert f"::error title=page-not-found::{SITE}/b: returns 404\n" in done.stdout
    assert "FAILED: 2 errors" in (tmp_path / "GITHUB_STEP_SUMMARY").read_text()
    assert (tmp_path / "GITHUB_OUTPUT").read_text().splitlines() == [
        "before",
        "share=0.3333",
        "errors=2",
        f"report={run / 'report.html'}",
        f"run={run}",
    ]


def test_a_summary_is_smaller_than_a_mebibyte(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    append_summary(["FAILED"], "é line\n" * 300_000, file)
    content = file.read_bytes()
    assert len(content) < 2**20
    assert content.decode().endswith("The rest is in the report.\n\n")


def test_code_quality(run: Path) -> None:
    run_in_process("gate", "--run", str(run))
    issues: list[dict[str, Any]] = json.loads((run / "codequality.json").read_text())
    assert [issue["location"] for issue in issues] == [
        {"path": "b", "lines": {"begin": 1}},
        {"path": "c", "lines": {"begin": 1}},
    ]
    assert {issue["severity"] for issue in issues} == {"critical"}
    assert len({issue["fingerprint"] for issue in issues}) == 2


def test_sarif_is_sorted_and_limited(tmp_path: Path) -> None:
    folder = BuildFolder(tmp_path / "public", tmp_path)
    many = [
        finding(place=f"/{number}", url=f"{SITE}/{number}") for number in range(MAX_RESULTS + 1)
    ]
    write_sarif(many, folder, catalog(), tmp_path / "sarif.json")
    content = json.loads((tmp_path / "sarif.json").read_text())
    (run,) = content["runs"]
    assert content["version"] == "2.1.0"
    assert len(run["results"]) == MAX_RESULTS
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"][:10]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert not place["artifactLocation"]["uri"].startswith(("/", "http"))
        assert place["region"]["startLine"] >= 1
    assert rules[0]["shortDescription"]["text"] == catalog()["page-not-found"].title()


def test_an_audit_of_a_server_writes_no_sarif(run: Path) -> None:
    run_in_process("gate", "--run", str(run))
    assert not (run / "sarif.json").exists()
