"""What building the results of a run returns."""

import logging
from pathlib import Path

import pytest

from sitemapaudit.config import AuditSettings
from sitemapaudit.report import summary
from sitemapaudit.results.job import ResultsJob, build, postpone
from sitemapaudit.runs.manifest import Manifest, Status
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.runs import build_run


@pytest.mark.parametrize("status", [Status.INTERRUPTED, Status.FINISHED])
def test_only_a_finished_run_is_complete_when_it_is_built_later(
    tmp_path: Path, status: Status
) -> None:
    entries = listed("https://www.example.com/")
    build_run(tmp_path, [sitemap_of(entries), entries, fetched_page("https://www.example.com/")])
    manifest = Manifest.read(tmp_path)
    reason = None if status is Status.FINISHED else "the run was stopped"
    manifest.status, manifest.reason = status, reason
    job = ResultsJob(tmp_path, manifest, AuditSettings(), logging.INFO)
    postpone(job)
    assert build(job).summary is not None
    built = Manifest.read(tmp_path)
    assert (built.postponed, built.reason) == (False, reason)
    assert built.complete is (status is Status.FINISHED)


def test_a_summary_that_fails_is_logged_and_the_results_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    entries = listed("https://www.example.com/")
    build_run(tmp_path, [sitemap_of(entries), entries])
    job = ResultsJob(tmp_path, Manifest.read(tmp_path), AuditSettings(), logging.INFO)
    assert build(job).summary is not None
    monkeypatch.delattr(summary, "_headline")
    results = build(job)
    assert results.summary is None
    assert results.manifest.rows["urls"] == 1
    assert (tmp_path / "report.html").exists()
    (record,) = caplog.records
    assert record.getMessage().startswith(f"The summary of {tmp_path} could not be created")
    assert record.exc_info
