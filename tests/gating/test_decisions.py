"""A gate fails on faults, or only on new ones, and says why."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.gating.decision import MAX_KEPT, Conditions, Decision, decide
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.gating.passed import last_passed
from sitemapaudit.gating.wording import decision_lines, describe_findings
from sitemapaudit.runs.folders import find_runs
from sitemapaudit.runs.manifest import FIRST_EDITION, Manifest
from sitemapaudit.runs.sample import Bounds, Sample
from sitemapaudit.sitemaps.dialects import NAMESPACE
from tests.gating.runs import SITE, finding, make_run, manifest
from tests.support.commands import run_in_process, sitemapaudit
from tests.support.rows import NOW
from tests.support.runs import lock_as_another

PROGRAM = "sitemapaudit gate"
ONCE = "page-not-found \N{MULTIPLICATION SIGN}1"
ONE_ERROR = f"1 error: {ONCE}"


def gate(*words: str) -> tuple[int, list[str]]:
    """Return the exit status of a gate, and what it prints."""
    done = run_in_process("gate", *words)
    return done.returncode, done.stdout.splitlines()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_run(tmp_path)


def decided(*findings: GateFinding, **conditions: Any) -> Decision:
    verdicts = {"indexable": 93, "not-found": 7}
    return decide(manifest(verdicts=verdicts), findings, Conditions(**conditions))


def test_errors_fail_and_are_named(run: Path) -> None:
    status, lines = gate("--run", str(run))
    assert status == 1
    assert lines[-6:] == [
        "There is no baseline: every finding counts.",
        "FAILED: 2 errors: page-not-found \N{MULTIPLICATION SIGN}2",
        f"  error  page-not-found  {SITE}/b  returns 404",
        f"  error  page-not-found  {SITE}/c  returns 404",
        "To accept what is known, and to fail on new findings only:",
        f"  sitemapaudit baseline {run} > .sitemapaudit-baseline.json",
    ]
    assert Manifest.read(run).gate == "failed"


def test_a_baseline_makes_known_findings_pass(run: Path, tmp_path: Path) -> None:
    (tmp_path / ".sitemapaudit-baseline.json").write_text(
        run_in_process("baseline", str(run)).stdout
    )
    status, lines = gate("--run", str(run), "--fail-on", "notice")
    assert status == 0
    assert re.fullmatch(
        r"PASSED: 33\.3\s% of 3 judged URLs are indexable\. \d known findings\.", lines[-1]
    )
    later = make_run(tmp_path, "2026-11-21T00-00-00Z", a=200, b=404, d=404)
    status, lines = gate("--run", str(later))
    assert status == 1
    assert lines[-3:] == [
        f"The baseline contains 1 place without a current finding: {ONCE}. Update it.",
        f"FAILED: 1 new error: {ONCE}",
        f"  error  page-not-found  {SITE}/d  returns 404",
    ]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema_version": 2, "rules": {}}', '{"schema_version": 1}']
)
def test_another_file_is_no_baseline(run: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    done = run_in_process("gate", "--run", str(run), "--baseline", str(file))
    assert done.returncode == 2
    other = '{"schema_version": 2' in text
    expected = " has schema_version 2" if other else " is not a baseline, which `sitemapaudit"
    assert done.stderr.startswith(f"{file}{expected}")
    assert done.stderr.count("\n") == 1


def test_the_last_run_that_passed_counts_and_not_the_last(run: Path, tmp_path: Path) -> None:
    assert gate("--run", str(run), "--fail-on", "never")[0] == 0
    worse = make_run(tmp_path, "2026-11-21T00-00-00Z", a=404, b=404, c=404)
    assert gate("--run", str(worse), "--against", "passed")[0] == 1
    other = make_run(tmp_path / "other", "2026-11-21T00-00-00Z")
    _, lines = gate("--run", str(other), "--against", "passed")
    assert "No earlier run has passed: every finding counts." in lines
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
        ({"fail_on": "warning"}, [ONE_ERROR]),
        ({"fail_on": "never"}, []),
        ({"fail_on": "never", "rules": ["page-*"]}, [ONE_ERROR]),
        ({"fail_on": "never", "rules": ["loc-*"]}, []),
        ({"fail_on": "never", "min_share": 0.93}, []),
        (
            {"fail_on": "never", "min_share": 0.94},
            ["93 of 100 URLs are known to be indexable (93.0\xa0%), less than 94.0\xa0%"],
        ),
    ],
)
def test_conditions(conditions: dict[str, Any], reasons: list[str]) -> None:
    decision = decided(finding(), **conditions)
    assert [*decision.reasons, *describe_findings(decision)] == reasons
    assert decision.passed is not bool(reasons)


def test_urls_that_could_not_be_determined_are_not_known_to_be_indexable() -> None:
    values = manifest(verdicts={"indexable": 90, "denied": 10})
    (reason,) = decide(values, [], Conditions(min_share=0.95)).reasons
    assert reason == "90 of 100 URLs are known to be indexable (90.0\xa0%), less than 95.0\xa0%"
    bounds = Bounds(0.97, 0.9, 0.99)
    values.sample = Sample(90, 200, verdicts={"indexable": bounds})
    (reason,) = decide(values, [], Conditions(min_share=0.95)).reasons
    least = "at least 180 of 200 URLs are known to be indexable, at 95\xa0% confidence"
    assert reason == f"{least} (90.0\xa0%), less than 95.0\xa0%"
    assert not decide(values, [], Conditions(min_share=0.9)).reasons
    skipped = manifest(verdicts={"unchecked": 5})
    (reason,) = decide(skipped, [], Conditions(min_share=0.95)).reasons
    assert reason == "no URL was judged, so the indexable share is unknown"


def test_five_findings_are_named() -> None:
    many = (finding(place=f"/{number}") for number in range(MAX_KEPT + 7))
    decision = decided(*many)
    lines = list(decision_lines(decision))
    assert len(decision.failing) == MAX_KEPT
    assert lines[0] == "FAILED: 1,007 errors: page-not-found \N{MULTIPLICATION SIGN}1,007"
    assert lines[-1] == "  and 1,002 more"


def test_a_site_cannot_add_lines() -> None:
    hostile = finding(message="is 'x\n::add-mask::a\x1b[2J\r::error::b'", url=f"{SITE}/b")
    lines = list(decision_lines(decided(hostile)))
    assert lines[1:] == [f"  error  page-not-found  {SITE}/b  is 'x ::add-mask::a [2J ::error::b'"]


@pytest.mark.parametrize("values", [{"complete": False}, {"failed_formats": {"report.html": "x"}}])
def test_an_incomplete_audit_never_passes(values: dict[str, Any]) -> None:
    given = manifest(reason="the run was stopped")
    for name, value in values.items():
        setattr(given, name, value)
    decision = decide(given, [], Conditions(fail_on="never"))
    assert (decision.complete, decision.passed) == (False, False)
    assert decision.reasons[0] in (
        "the audit is incomplete: the run was stopped",
        "results that could not be written: report.html",
    )


def test_a_run_whose_rules_failed_does_not_pass() -> None:
    decision = decide(manifest(broken_rules={"b": 1, "a": 2}), [], Conditions(fail_on="never"))
    assert not decision.passed
    assert decision.reasons == ["rules failed with an exception: a, b"]


@pytest.mark.parametrize(
    ("skipped", "passes"),
    [
        ({"include": 3, "exclude": 2}, False),
        ({"include": 4}, True),
        ({"since": 5}, True),
        ({"pages": 5}, True),
    ],
)
def test_filters_that_leave_nothing_do_not_pass(skipped: dict[str, int], passes: bool) -> None:
    decision = decide(manifest(verdicts={"unchecked": 5}, skipped=skipped), [], Conditions())
    assert decision.passed is passes
    assert ("include and exclude skip every listed URL" in decision.reasons) is not passes


def test_an_incomplete_run_has_its_own_status(tmp_path: Path) -> None:
    run = make_run(tmp_path, reason="the run was stopped")
    status, lines = gate("--run", str(run), "--fail-on", "never")
    assert (status, lines[-1]) == (3, "FAILED: the audit is incomplete: the run was stopped")


def test_a_run_and_a_site_are_too_much(run: Path) -> None:
    done = run_in_process("gate", "www.example.com", "--run", str(run))
    assert done.returncode == 2
    assert done.stderr == "gate: give a site to audit, or --run, and not both.\n"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--rules", "page-not-found=off"], "AUDIT_RULES"),
        (["--pages", "3"], "--pages"),
        (["--hosting", "netlify"], "--hosting"),
        (["--sites", "sites.txt"], "--sites"),
        (["-o", "items.jsonl"], "-o"),
    ],
)
def test_options_of_an_audit_are_refused_with_a_run(
    run: Path, words: list[str], named: str
) -> None:
    done = run_in_process("gate", "--run", str(run), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"gate: {named} has no effect with --run, which audits nothing.\n"


def test_rules_cannot_be_chosen_for_a_finished_run(run: Path) -> None:
    done = run_in_process("gate", "--resume", str(run), "--rules", "page-not-found=off")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"gate: AUDIT_RULES has no effect on {run}, which is finished.\n"


def test_each_site_of_a_list_is_decided(tmp_path: Path) -> None:
    for name, paths in {"good": ("/",), "bad": ("/", "/gone")}.items():
        write_build(tmp_path / name, f"https://{name}.example", paths)
    sites = {each: f"https://{each}.example folder={each}" for each in ("bad", "good", "none")}
    (tmp_path / "none").mkdir()
    (list_of_sites := tmp_path / "sites.txt").write_text("")
    for names, status in ((("good",), 0), (("bad", "good"), 1), (("none", "bad", "good"), 3)):
        list_of_sites.write_text("".join(f"{sites[name]}\n" for name in names))
        words = "--sites", "sites.txt", "--dir", f"audits-{status}"
        done = sitemapaudit("gate", *words, cwd=tmp_path)
        passed = [line.partition(":")[0] for line in done.stdout.splitlines()]
        decisions = passed.count("PASSED"), passed.count("FAILED")
        assert (done.returncode, decisions) == (status, (1, len(names) - 1)), done
        assert done.stdout.endswith(f"\n1 run passed, {len(names) - 1} failed.\n")
        gates = {Manifest.read(run).gate for run in find_runs(tmp_path / f"audits-{status}")}
        assert gates == ({"passed", "failed"} if status else {"passed"})


def write_build(folder: Path, origin: str, paths: tuple[str, ...]) -> None:
    folder.mkdir()
    locs = "".join(f"<url><loc>{origin}{path}</loc></url>" for path in paths)
    (folder / "sitemap.xml").write_text(f'<urlset xmlns="{NAMESPACE}">{locs}</urlset>')
    (folder / "robots.txt").write_text(f"Sitemap: {origin}/sitemap.xml\n")
    (folder / "index.html").write_text("<!doctype html><title>Home</title><p>The home page.")


def test_rules_that_did_not_check_the_run_cannot_pass_it(run: Path) -> None:
    checked = Manifest.read(run)
    checked.checked_rules.remove("orphan-no-inlinks")
    checked.checked_rules.remove("orphan-unreachable")
    checked.write(run)
    words = "--run", str(run), "--fail-on", "never", "--fail-on-rules"
    assert gate(*words, "loc-*")[0] == 0
    status, lines = gate(*words, "loc-*,orphan-*")
    expected = "FAILED: rules that must find nothing, but did not check the run: orphan-*"
    assert (status, lines[-1]) == (1, expected)


def test_a_run_without_tables_is_in_use_while_it_is_written(run: Path) -> None:
    for file in run.glob("*.parquet"):
        file.unlink()
    with lock_as_another(run):
        done = run_in_process("gate", "--run", str(run))
    assert (done.returncode, done.stderr) == (75, f"{run} is in use by process 4321.\n")
    done = run_in_process("gate", "--run", str(run))
    assert (done.returncode, "has no tables" in done.stderr) == (2, True)


def test_a_run_that_is_decided_stays_readable(run: Path) -> None:
    gate("--run", str(run))
    assert open_run(run).manifest.gate == "failed"


def test_another_run_that_audited_less_is_no_baseline(run: Path, tmp_path: Path) -> None:
    less = make_run(tmp_path, "2026-11-21T00-00-00Z", only="none")
    assert gate("--run", str(run), "--fail-on", "never")[0] == 0
    assert gate("--run", str(less), "--fail-on", "never")[0] == 0
    assert last_passed(make_run(tmp_path, "2026-11-22T00-00-00Z")) == run


def test_a_part_of_the_site_says_nothing_about_stale_places(run: Path, tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text(run_in_process("baseline", str(run)).stdout)
    part = make_run(tmp_path, "2026-11-21T00-00-00Z", only="1", a=200)
    _, lines = gate("--run", str(part), "--baseline", "known.json")
    assert len(lines) == 1


def test_the_baseline_of_an_incomplete_run_says_so(tmp_path: Path) -> None:
    run = make_run(tmp_path, reason="the run was stopped")
    done = run_in_process("baseline", str(run))
    assert done.stderr == f"{run} is incomplete, and so is the baseline: the run was stopped\n"
    assert json.loads(done.stdout)["schema_version"] == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--baseline", "none.json"], "--baseline: there is no file none.json."),
        (
            ["--baseline", "x", "--against", "passed"],
            "gate: give --baseline, or --against, and not both.",
        ),
        (
            ["--fail-on-rules", "loc-*,page-notfound"],
            "--fail-on-rules: there is no rule 'page-notfound'; did you mean page-not-found?",
        ),
        (
            ["--fail-on-rules", "x-*"],
            "--fail-on-rules: there is no rule 'x-*'; see sitemapaudit rules.",
        ),
        (
            ["--against", "last"],
            f"{PROGRAM}: argument --against: 'last' is not one of passed.",
        ),
        (
            ["--min-share", "95"],
            f"{PROGRAM}: argument --min-share: '95' is not a share from 0 to 1, such as 0.95.",
        ),
    ],
)
@pytest.mark.parametrize("what", ["site", "run"])
def test_a_mistake_costs_no_audit(run: Path, what: str, words: list[str], sentence: str) -> None:
    about = ["www.example.com"] if what == "site" else ["--run", str(run)]
    done = run_in_process("gate", *about, *words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{sentence}\n")


def test_a_run_that_is_resumed_is_undecided(run: Path) -> None:
    gate("--run", str(run))
    decided_run = Manifest.read(run)
    decided_run.mark_resumed(NOW, None)
    assert decided_run.gate is None


def test_resuming_a_finished_run_decides_about_it(run: Path) -> None:
    status, lines = gate("--resume", str(run))
    assert (status, lines[-3]) == (1, f"  error  page-not-found  {SITE}/c  returns 404")


def test_a_run_in_use_is_left_alone(run: Path) -> None:
    with lock_as_another(run):
        done = run_in_process("gate", "--run", str(run))
    assert (done.returncode, done.stderr) == (75, f"{run} is in use by process 4321.\n")
    assert Manifest.read(run).gate is None


def test_findings_of_a_rule_that_did_not_check_the_run_that_passed_are_counted_apart(
    run: Path, tmp_path: Path
) -> None:
    passed = Manifest.read(run)
    passed.gate, passed.complete = "passed", True
    passed.checked_rules.remove("page-not-found")
    passed.write(run)
    worse = make_run(tmp_path, "2026-11-21T00-00-00Z", a=404, b=404, c=404)
    status, lines = gate("--run", str(worse), "--against", "passed")
    assert status == 0
    others = "rules that did not check the earlier run in the same way"
    assert lines[-2] == f"1 finding of {others}: {ONCE}."
    assert lines[-1].startswith("PASSED")


@pytest.mark.parametrize("change", ["new-rule", "new-edition", "none", "unknown"])
def test_a_baseline_knows_which_rules_checked_its_run(
    run: Path, tmp_path: Path, change: str
) -> None:
    known = json.loads(run_in_process("baseline", str(run)).stdout)
    assert known["checked"].pop("page-not-found") == FIRST_EDITION
    if change != "new-rule":
        known["checked"]["page-not-found"] = "2" if change == "new-edition" else FIRST_EDITION
    if change == "unknown":  # The file is from an earlier version.
        del known["checked"]
    file = tmp_path / "known.json"
    file.write_text(json.dumps(known))
    worse = make_run(tmp_path, "2026-11-21T00-00-00Z", a=404, b=404, c=404)
    status, lines = gate("--run", str(worse), "--baseline", str(file))
    assert status == (0 if change.startswith("new") else 1)
    assert (f"in the same way: {ONCE}." in " ".join(lines)) == change.startswith("new")
