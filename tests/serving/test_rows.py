"""The rows of the page of runs: what a run is doing, and what can be done with it."""

from pathlib import Path

from sitemapaudit.audit_folder.folder import AuditFolder
from sitemapaudit.runs.manifest import Status
from sitemapaudit.serving.rows import REASON, RunRow, run_row
from tests.report.fleet import make_run
from tests.support.runs import lock_as_another


def row(run: Path) -> RunRow:
    return run_row(AuditFolder(run.parent.parent), run)


def test_a_running_run_shows_how_many_pages_it_has_fetched(tmp_path: Path) -> None:
    run = make_run(tmp_path, "a.example", 0, status=Status.RUNNING)
    with lock_as_another(run):
        assert (row(run).state, row(run).fetched, row(run).resumable) == ("running", None, False)
        (run / "log" / "pages.jsonl").write_text("{}\n{}\n")
        assert row(run).fetched == 2
    killed = row(run)
    assert (killed.state, killed.resumable) == ("interrupted", True)


def test_only_runs_that_have_not_finished_can_be_resumed(tmp_path: Path) -> None:
    finished = row(make_run(tmp_path, "a.example", 3, 1))
    stopped = row(make_run(tmp_path, "b.example", 3, 1, reason="the run was stopped" * 99))
    assert (finished.state, finished.share, finished.errors) == ("complete", 0.75, 1)
    assert (finished.resumable, stopped.resumable, finished.report) == (False, True, True)
    assert len(stopped.state) == len("interrupted: ") + REASON


def test_an_unreadable_run_says_so(tmp_path: Path) -> None:
    run = make_run(tmp_path, "a.example", 1)
    (run / "run.json").write_text("{")
    assert row(run).state.startswith("unreadable: ")
