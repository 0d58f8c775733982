"""Audits as jobs of a real Scrapyd, deployed by scrapyd-deploy."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sitemapaudit import open_run
from sitemapaudit.datasets.manifest import Manifest, Status
from tests.rendering.site import ScriptedSite, scripted
from tests.resuming.site import Site
from tests.scrapyd.node import JOBS, Node
from tests.support import PROJECT, scrapy

pytestmark = pytest.mark.xdist_group("scrapyd")

URLS = 40
SCRIPT = scripted("document.title = 'Made by a script'")


@dataclass(frozen=True)
class Job:
    """A job that is over, and the site that it was to audit."""

    id: str
    origin: str
    run: Path

    @property
    def manifest(self) -> Manifest:
        return Manifest.read(self.run)


@dataclass(frozen=True)
class Night:
    """Three jobs of different sites that ran at once; ``slow`` was cancelled on the way."""

    slow: Job
    plain: Job
    rendered: Job
    slow_site: Site


@pytest.fixture(scope="module")
def night(node: Node) -> Iterator[Night]:
    with Site(URLS) as slow, Site(20) as plain, ScriptedSite({"/scripted": SCRIPT}) as rendered:
        jobs = [
            node.schedule({"DOWNLOAD_DELAY": 0.5}, site=slow.origin),
            node.schedule(
                {"AUDIT_FORMATS": "xlsx,jsonl", "AUDIT_FAIL_ON": "error"},
                site=plain.origin,
                pages="10",
            ),
            node.schedule(site=rendered.origin, render="always"),
        ]
        node.until(lambda: len(node.jobs("running")) == JOBS)
        node.until(lambda: sum("/page/" in place for place in list(slow.asked)) > 3)
        node.cancel(jobs[0])
        node.wait(*jobs)
        slow.take_asked()
        origins = (slow.origin, plain.origin, rendered.origin)
        first, second, third = (
            Job(job, origin, node.run_of(job)) for job, origin in zip(jobs, origins, strict=True)
        )
        yield Night(first, second, third, slow)


def test_the_egg_holds_all_of_the_package_and_nothing_else(node: Node) -> None:
    with zipfile.ZipFile(node.eggs[0]) as egg:
        names = {name for name in egg.namelist() if not name.startswith("EGG-INFO/")}
    package = (PROJECT / "sitemapaudit").rglob("*")
    files = {file for file in package if file.is_file() and "__pycache__" not in file.parts}
    assert names == {str(file.relative_to(PROJECT)) for file in files}


def test_a_job_leaves_its_outcome_where_the_setting_says(node: Node, night: Night) -> None:
    job, manifest = night.plain, night.plain.manifest
    assert job.run.is_relative_to(node.audits)
    assert (manifest.status, manifest.complete, manifest.job) == (Status.FINISHED, True, job.id)
    assert manifest.arguments["pages"] == 10
    assert manifest.settings["AUDIT_FAIL_ON"] == "error"
    assert manifest.rows["urls"] == 20
    assert node.exit_status_of(job.id) == 1
    assert {"audit.xlsx", "urls.jsonl"} <= {file.name for file in job.run.iterdir()}


def test_its_report_is_that_of_the_shell(night: Night) -> None:
    report = _report(night.plain.run)
    assert scrapy("report", str(night.plain.run)).returncode == 0
    assert _report(night.plain.run) == report


def test_jobs_at_once_do_not_disturb_each_other(night: Night) -> None:
    for job in (night.slow, night.plain, night.rendered):
        assert job.manifest.arguments["site"] == job.origin
        assert set(open_run(job.run).urls["url"].str.extract("(http://[^/]*)")[0]) == {job.origin}


def test_a_job_opens_pages_in_the_browser(night: Night) -> None:
    assert night.rendered.manifest.rendered == 1
    titles = open_run(night.rendered.run).pages["rendered_title"]
    assert titles.tolist() == ["Made by a script"]


def test_a_job_that_was_cancelled_is_resumed(node: Node, night: Night) -> None:
    run, manifest = night.slow.run, night.slow.manifest
    assert (manifest.status, manifest.reason) == (Status.INTERRUPTED, "the run was stopped")
    assert not manifest.complete
    assert node.exit_status_of(night.slow.id) == 3
    again = node.schedule(resume=str(run))
    node.wait(again)
    manifest = Manifest.read(run)
    assert (manifest.status, manifest.complete, manifest.job) == (Status.FINISHED, True, again)
    assert node.exit_status_of(again) == 0
    asked = sum("/page/" in place for place in night.slow_site.take_asked())
    assert 0 < asked < URLS - 3
    in_vain = node.schedule(resume=str(run))
    node.wait(in_vain)
    assert f"{run} is finished: there is nothing to resume." in node.log_of(in_vain)
    assert node.log_of(in_vain).endswith("Exit status 0\n")


def test_why_a_job_was_refused_stands_in_its_log(node: Node) -> None:
    misspelt, unset = node.schedule(stie="www.example.com"), node.schedule({"AUDIT_SPEED": "mad"})
    node.wait(misspelt, unset)
    assert "stie is not known: perhaps site is meant." in node.log_of(misspelt)
    assert "AUDIT_SPEED: 'mad' is none of polite, full." in node.log_of(unset)
    for job in (misspelt, unset):
        assert node.exit_status_of(job) == 2
        assert node.log_of(job).endswith("Exit status 2\n")
        assert "Traceback" not in node.log_of(job)
    assert not [run for run in node.runs if Manifest.read(run).job in (misspelt, unset)]


def test_nothing_is_left_where_the_node_runs(node: Node) -> None:
    assert {file.name for file in node.folder.iterdir()} == {
        "scrapyd.conf", "output", "eggs", "dbs", "logs",
    }  # fmt: skip


def _report(run: Path) -> str:
    """Return the page of a run, but for when that ended: a crawl does not know it yet."""
    text = (run / "report.html").read_text(encoding="utf-8")
    return re.sub(r"<p>Finished[^.]*\.", "<p>Finished.", text)
