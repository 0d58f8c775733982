"""What building the results of a run returns."""

import logging
from pathlib import Path

import pytest

from sitemapaudit.config import AuditSettings
from sitemapaudit.report import summary
from sitemapaudit.results.job import ResultsJob, build
from sitemapaudit.runs.manifest import Manifest
from tests.support.rows import listed, sitemap_of
from tests.support.runs import build_run


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
