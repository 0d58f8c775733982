"""What JUnit, GitHub and GitLab are told."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from sitemapaudit.crawling.given_urls import URL_LIST
from sitemapaudit.gating.codequality import write_codequality
from sitemapaudit.gating.decision import Conditions, decide
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.gating.github import append_summary, workflow_commands
from sitemapaudit.gating.junit import write_decision
from sitemapaudit.gating.places import BuildFolder, find_root
from sitemapaudit.gating.sarif import MAX_RESULTS, write_sarif
from sitemapaudit.gating.wording import decision_lines
from sitemapaudit.items import Severity
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.likely_cause import Fix, LikelyCause
from sitemapaudit.runs.manifest import Manifest
from tests.gating.runs import SITE, finding, make_run, manifest
from tests.gating.schemas import CODE_QUALITY, SARIF
from tests.support.commands import run_in_process


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
    cases = {case.get("name"): case for case in suite.iter("testcase")}
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
    assert str(failure.get("message")).startswith("1 of 3 URLs are known")


def test_annotations_are_escaped_and_at_most_ten_of_a_kind() -> None:
    many = [finding(place=f"/{number}", url=f"{SITE}/{number}") for number in range(12)]
    notice = finding("x", severity=Severity.NOTICE, message="100 %\n::error::no", url=f"{SITE}/n")
    found = commands(*many, notice)
    assert len(found) == 11
    assert found[0] == f"::error title=page-not-found::{SITE}/0: returns 404"
    assert found[-1] == f"::notice title=x::{SITE}/n: 100 %25%0A::error::no"
    rare = finding("page-soft-404", url=f"{SITE}/rare")
    assert [line.partition("::http")[0] for line in commands(*many, rare)][:3] == [
        "::error title=page-not-found",
        "::error title=page-soft-404",
        "::error title=page-not-found",
    ]


def test_likely_causes_lead_each_output(tmp_path: Path) -> None:
    fix = Fix("Hugo", "set `baseURL`", "https://gohugo.io/")
    cause = LikelyCause("All 12 lack the slash.", ["page-not-found"], 12, [fix])
    other = LikelyCause("Something else.", ["page-slow"], 12)
    many = [finding(place=f"/{number}", url=f"{SITE}/{number}") for number in range(12)]
    run = manifest(likely_causes=[cause, other])
    decision = decide(run, many, Conditions())
    text = "All 12 lack the slash. Hugo: set baseURL (https://gohugo.io/)."
    lines = [*decision_lines(decision)]
    assert lines[1] == f"  Likely cause: {text}"
    assert len(lines) == 4  # One finding, and the number of others.
    annotations = [*workflow_commands(decision, None)]
    assert annotations[0] == f"::error title=likely cause::{text}"
    assert len(annotations) == 2
    write_decision(decision, ["page-not-found"], tmp_path / "junit.xml")
    assert f"likely cause: {text}" in (tmp_path / "junit.xml").read_text()
    folder = BuildFolder(tmp_path / "public", tmp_path)
    write_sarif(many, folder, catalog(), run.likely_causes, tmp_path / "sarif.json")
    (one,) = json.loads((tmp_path / "sarif.json").read_text())["runs"]
    assert one["tool"]["driver"]["rules"][0]["help"] == {"text": f"Likely cause: {text}"}


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


def test_files_have_the_structure_that_systems_expect(tmp_path: Path) -> None:
    folder = BuildFolder(tmp_path / "public", tmp_path)
    found = [
        finding(url=f"{SITE}/a", file="a b/ä:1.html", line=3),
        finding(url=f"{SITE}/b", sitemap=f"{SITE}/sub/site%20map.xml", line=7),
        finding("x", severity=Severity.WARNING, sitemap=f"{SITE}/s.xml"),
        finding("y", severity=Severity.NOTICE),
        finding("y", severity=Severity.NOTICE),
        finding("z", severity=Severity.NOTICE, sitemap=URL_LIST, line=4),
    ]
    write_sarif(found, folder, catalog(), (), tmp_path / "sarif.json")
    sarif = json.loads((tmp_path / "sarif.json").read_text())
    jsonschema.validate(sarif, SARIF)
    places = [result["locations"][0]["physicalLocation"] for result in sarif["runs"][0]["results"]]
    assert [(each["artifactLocation"]["uri"], each["region"]["startLine"]) for each in places] == [
        ("public/a%20b/%C3%A4%3A1.html", 1),
        ("public/sub/site%20map.xml", 7),
        ("public/s.xml", 1),
        *[("public/robots.txt", 1)] * 2,
        (URL_LIST, 4),
    ]
    for each in (folder, None):
        write_codequality(found, each, tmp_path / "codequality.json")
        issues = json.loads((tmp_path / "codequality.json").read_text())
        jsonschema.validate(issues, CODE_QUALITY)
        assert len({issue["fingerprint"] for issue in issues}) == len(found)
        assert issues[-1]["location"] == {"path": URL_LIST, "lines": {"begin": 4}}


def test_junit_has_the_structure_that_systems_expect(tmp_path: Path) -> None:
    hostile = finding(message="a\x00\x1b[2J", url=f"{SITE}/b")
    values = manifest(reason="a \x08 b")
    values.complete = False
    decision = decide(values, [hostile], Conditions(min_share=0.5))
    write_decision(decision, ["a-rule"], tmp_path / "junit.xml")
    suite = ET.parse(tmp_path / "junit.xml").getroot()
    assert suite.tag == "testsuite"
    assert list(suite.keys()) == ["name", "tests", "failures", "errors"]
    assert int(str(suite.get("tests"))) == len(suite.findall("testcase")) == 3
    assert int(str(suite.get("failures"))) == len(suite.findall("testcase/failure")) == 2
    assert [part.tag for part in suite] == ["properties", *(["testcase"] * 3)]
    for case in suite.iter("testcase"):
        assert list(case.keys()) == ["classname", "name"]
        assert len(case) <= 1
        assert all(list(failure.keys()) == ["message", "type"] for failure in case)


def test_paths_are_relative_to_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "packages" / "shop").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "packages" / "shop")
    here = Path.cwd()
    assert find_root({}) == here
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        assert find_root({name: str(tmp_path)}) == tmp_path.resolve()
        assert find_root({name: str(tmp_path / "elsewhere")}) == here
    folder = BuildFolder(here / "dist", find_root({"GITHUB_WORKSPACE": str(tmp_path)}))
    assert folder.locate(finding(file="a.html")) == ("packages/shop/dist/a.html", 1)


def test_a_finding_about_the_site_is_shown_at_a_file_that_exists(tmp_path: Path) -> None:
    build = tmp_path / "dist"
    build.mkdir()
    folder = BuildFolder(build, tmp_path.resolve())
    whole = finding(url=None, sitemap=None)
    places = [folder.locate(whole)[0]]
    for name in ("index.html", "sitemap.xml", "robots.txt"):
        (build / name).touch()
        places.append(folder.locate(whole)[0])
    assert places == ["dist/robots.txt", "dist/index.html", "dist/sitemap.xml", "dist/robots.txt"]


def test_several_gates_of_a_step_share_the_summary(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    for _ in range(3):
        append_summary(["FAILED"], "line\n" * 150_000, file)
    assert 2**20 - 2048 < file.stat().st_size < 2**20


def test_sarif_is_sorted_and_limited(tmp_path: Path) -> None:
    folder = BuildFolder(tmp_path / "public", tmp_path)
    many = [
        finding(place=f"/{number}", url=f"{SITE}/{number}") for number in range(MAX_RESULTS + 1)
    ]
    write_sarif(many, folder, catalog(), (), tmp_path / "sarif.json")
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
