"""A gate fails on faults, or only on new ones, and says why."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.gating.baseline import Baseline
from sitemapaudit.gating.decision import Conditions, Decision, decide
from sitemapaudit.gating.findings import GateFinding, read_findings
from sitemapaudit.gating.passed import last_passed
from sitemapaudit.items import Severity
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.sitemaps.dialects import NAMESPACE
from tests.support import build_audited_run, fetched_page, listed, run_in_process, sitemap_of

SITE = "https://www.example.com"
STATUSES = {"a": 200, "b": 404, "c": 404}


def make_run(audits: Path, name: str = "2026-11-20T00-00-00Z", **statuses: int) -> Path:
    """Return a run of a site whose pages have these statuses."""
    pages = statuses or STATUSES
    entries = listed(*(f"{SITE}/{page}" for page in pages))
    rows = [fetched_page(f"{SITE}/{page}", status) for page, status in pages.items()]
    sitemap = sitemap_of(entries)
    sitemap.namespace = NAMESPACE
    run = build_audited_run(audits / "www.example.com" / name, [sitemap, entries, *rows])
    return run.path


def gate(*words: str) -> tuple[int, list[str]]:
    """Return the exit status of a gate, and what it prints."""
    done = run_in_process("gate", *words)
    return done.returncode, done.stdout.splitlines()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_run(tmp_path)


def finding(rule: str = "page-not-found", place: str = "/b", **values: Any) -> GateFinding:
    given = {"severity": Severity.ERROR, "message": "returns 404", **values}
    return GateFinding(rule, given.pop("severity"), place, **given)


def manifest(**values: Any) -> Manifest:
    return Manifest({}, {}, {}, "2026-11-20T00:00:00Z", complete=True, **values)


def decided(*findings: GateFinding, **conditions: Any) -> Decision:
    verdicts = {"indexable": 93, "not-found": 7}
    return decide(manifest(verdicts=verdicts), findings, Conditions(**conditions))


def test_errors_fail_and_are_named(run: Path) -> None:
    status, lines = gate("--run", str(run))
    assert status == 1
    assert lines[-4:] == [
        "There is no baseline: every finding counts.",
        "FAILED: 2 errors: page-not-found \N{MULTIPLICATION SIGN}2",
        f"  error  page-not-found  {SITE}/b  returns 404",
        f"  error  page-not-found  {SITE}/c  returns 404",
    ]
    assert Manifest.read(run).gate == "failed"


def test_a_baseline_makes_known_findings_pass(run: Path, tmp_path: Path) -> None:
    (tmp_path / ".sitemapaudit-baseline.json").write_text(
        run_in_process("baseline", str(run)).stdout
    )
    status, lines = gate("--run", str(run), "--fail-on", "notice")
    assert status == 0
    assert re.fullmatch(r"PASSED: 33\.3\s%? ?.*, \d+ known findings", lines[-1])
    later = make_run(tmp_path, "2026-11-21T00-00-00Z", a=200, b=404, d=404)
    status, lines = gate("--run", str(later))
    assert status == 1
    assert lines[-3:] == [
        "The baseline knows 1 place where nothing is found any more; write it again.",
        "FAILED: 1 new error: page-not-found \N{MULTIPLICATION SIGN}1",
        f"  error  page-not-found  {SITE}/d  returns 404",
    ]


def test_a_baseline_holds_for_another_host() -> None:
    live = finding(url=f"{SITE}/b")
    staging = finding(url="http://127.0.0.1:8000/b", line=7)
    assert Baseline.of([live]).new([staging]) == []


def test_a_baseline_is_read_as_it_was_written(run: Path, tmp_path: Path) -> None:
    known = Baseline.of(read_findings(run))
    file = tmp_path / "known.json"
    file.write_text(known.text())
    assert Baseline.read(file) == known
    assert list(json.loads(known.text())["rules"]) == sorted(known.places)
    assert "example.com" not in known.text()


def test_of_very_many_places_only_their_number_is_known() -> None:
    many = [finding(place=f"/{number}") for number in range(30)]
    known = Baseline.of(many, most=20)
    assert json.loads(known.text())["rules"] == {"page-not-found": {"count": 30}}
    assert known.new(many) == []
    assert len(known.new([*many, finding(place="/more")])) == 31
    assert known.stale([]) == [("page-not-found", "")]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2, "rules": {}}', '{"version": 1}'])
def test_another_file_is_no_baseline(run: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    done = run_in_process("gate", "--run", str(run), "--baseline", str(file))
    assert done.returncode == 2
    assert done.stderr.startswith(str(file))
    assert done.stderr.count("\n") == 1


def test_the_last_run_that_passed_counts_and_not_the_last(run: Path, tmp_path: Path) -> None:
    assert gate("--run", str(run), "--fail-on", "never")[0] == 0
    worse = make_run(tmp_path, "2026-11-21T00-00-00Z", a=404, b=404, c=404)
    assert gate("--run", str(worse), "--against", "passed")[0] == 1
    again = make_run(tmp_path, "2026-11-22T00-00-00Z", a=404, b=404, c=404)
    status, lines = gate("--run", str(again), "--against", "passed")
    assert (status, lines[-1]) == (1, f"  error  page-not-found  {SITE}/a  returns 404")
    assert last_passed(again) == run
    assert (
        gate("--run", str(make_run(tmp_path, "2026-11-23T00-00-00Z")), "--against", "passed")[0]
        == 0
    )


def test_without_a_baseline_it_can_be_told_to_fail(run: Path) -> None:
    status, lines = gate("--run", str(run), "--fail-on", "never", "--require-baseline")
    assert (status, lines[-1]) == (1, "FAILED: there is no baseline")


@pytest.mark.parametrize(
    ("conditions", "reasons"),
    [
        ({"fail_on": "warning"}, ["1 error: page-not-found \N{MULTIPLICATION SIGN}1"]),
        ({"fail_on": "never"}, []),
        (
            {"fail_on": "never", "rules": ["page-*"]},
            ["1 error: page-not-found \N{MULTIPLICATION SIGN}1"],
        ),
        ({"fail_on": "never", "rules": ["loc-*"]}, []),
        ({"fail_on": "never", "min_share": 0.93}, []),
        (
            {"fail_on": "never", "min_share": 0.94},
            ["the indexable share is 93\xa0%, and not 94\xa0%"],
        ),
    ],
)
def test_conditions(conditions: dict[str, Any], reasons: list[str]) -> None:
    decision = decided(finding(), **conditions)
    assert decision.reasons == reasons
    assert decision.passed is not bool(reasons)


def test_five_findings_are_named() -> None:
    lines = list(decided(*(finding(place=f"/{number}") for number in range(7))).lines())
    assert len(lines) == 7
    assert lines[-1] == "  and 2 more"


def test_an_incomplete_audit_never_passes(tmp_path: Path) -> None:
    values = manifest(reason="the run was stopped")
    values.complete = False
    decision = decide(values, [], Conditions(fail_on="never"))
    assert not decision.passed
    assert decision.reasons == ["the audit is incomplete: the run was stopped"]


def test_a_run_and_a_site_are_too_much(run: Path) -> None:
    done = run_in_process("gate", "www.example.com", "--run", str(run))
    assert done.returncode == 2
    assert done.stderr == "gate: give a site to audit, or --run, and not both.\n"


def test_a_run_that_is_decided_stays_readable(run: Path) -> None:
    gate("--run", str(run))
    assert open_run(run).manifest.gate == "failed"
