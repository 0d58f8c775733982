"""Audits as jobs of a real Scrapyd, deployed by scrapyd-deploy."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sitemapaudit import open_run
from sitemapaudit.runs.manifest import Manifest, Status
from tests.rendering.site import ScriptedSite, scripted
from tests.runs.site import Site
from tests.scheduling.node import Server
from tests.support.commands import scrapy
from tests.support.paths import PROJECT
from tests.support.settings import QUICK

pytestmark = pytest.mark.xdist_group("scrapyd")

URLS = 40
NOINDEX = "<meta name=robots content=noindex>"
SCRIPT = scripted("document.title = 'Made by a script'", NOINDEX)


@dataclass(frozen=True)
class Job:
    """A job that has ended, and the site that it audited."""

    id: str
    origin: str
    run: Path

    @property
    def manifest(self) -> Manifest:
        return Manifest.read(self.run)


@dataclass(frozen=True)
class Jobs:
    """Two jobs of different sites that ran at once; ``slow`` was cancelled."""

    slow: Job
    rendered: Job
    slow_site: Site


@pytest.fixture(scope="module")
def ended(node: Server) -> Iterator[Jobs]:
    with (
        Site(URLS) as slow,
        ScriptedSite({f"/{number}": SCRIPT for number in range(20)}) as rendered,
    ):
        jobs = [
            # A cancelled job still sends the requests that are queued: few, so that it ends soon.
            node.schedule(
                {
                    "DOWNLOAD_DELAY": 0.3,
                    "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
                    **QUICK,
                },
                site=slow.origin,
            ),
            node.schedule(
                {"AUDIT_FORMATS": "xlsx,jsonl", "AUDIT_FAIL_ON": "error"},
                site=rendered.origin,
                pages="10",
                render="1",
            ),
        ]
        node.until(lambda: len(node.jobs("running")) == len(jobs))
        node.until(lambda: sum("/page/" in place for place in list(slow.requests)) > 3)
        node.cancel(jobs[0])
        node.wait(*jobs)
        slow.take_requests()
        origins = (slow.origin, rendered.origin)
        first, second = (
            Job(job, origin, node.run_of(job)) for job, origin in zip(jobs, origins, strict=True)
        )
        yield Jobs(first, second, slow)


def test_the_egg_contains_exactly_the_package(node: Server) -> None:
    with zipfile.ZipFile(node.eggs[0]) as egg:
        # setuptools may add compiled modules.
        names = {name for name in egg.namelist() if not name.endswith(".pyc")}
    names = {name for name in names if not name.startswith("EGG-INFO/")}
    package = PROJECT / "sitemapaudit"
    # The folder of notebooks is a link, so its files are in it as well as beside the package.
    files = {*package.rglob("*"), *(package / "notebooks").rglob("*")}
    files -= {package / "notebooks" / "requirements.txt"}
    files = {file for file in files if file.is_file() and "__pycache__" not in file.parts}
    assert names == {str(file.relative_to(PROJECT)) for file in files}


def test_a_job_writes_its_run_to_the_folder_of_the_setting(node: Server, ended: Jobs) -> None:
    job, manifest = ended.rendered, ended.rendered.manifest
    assert job.run.is_relative_to(node.audits)
    assert (manifest.status, manifest.complete, manifest.job) == (Status.FINISHED, True, job.id)
    assert manifest.arguments["pages"] == 10
    assert manifest.settings["AUDIT_FAIL_ON"] == "error"
    assert manifest.rows["urls"] == 20
    assert node.exit_status_of(job.id) == 1
    assert {"audit.xlsx", "urls.jsonl"} <= {file.name for file in job.run.iterdir()}


def test_the_report_of_a_job_is_that_of_the_command(ended: Jobs) -> None:
    report = _report(ended.rendered.run)
    status = scrapy("report", str(ended.rendered.run)).returncode
    assert status == ended.rendered.manifest.exit_status("error") == 1
    assert _report(ended.rendered.run) == report


def test_jobs_that_run_at_once_are_independent(ended: Jobs) -> None:
    for job in (ended.slow, ended.rendered):
        assert job.manifest.arguments["site"] == job.origin
        assert set(open_run(job.run).urls["url"].str.extract("(http://[^/]*)")[0]) == {job.origin}


def test_a_job_renders_pages(ended: Jobs) -> None:
    assert ended.rendered.manifest.rendered_pages == 1
    titles = open_run(ended.rendered.run).pages["rendered_title"]
    assert titles.dropna().tolist() == ["Made by a script"]


def test_a_cancelled_job_is_resumed(node: Server, ended: Jobs) -> None:
    run, manifest = ended.slow.run, ended.slow.manifest
    assert (manifest.status, manifest.reason) == (Status.INTERRUPTED, "the run was stopped")
    assert not manifest.complete
    assert node.exit_status_of(ended.slow.id) == 3
    again = node.schedule(resume=str(run))
    node.wait(again)
    manifest = Manifest.read(run)
    assert (manifest.status, manifest.complete, manifest.job) == (Status.FINISHED, True, again)
    assert node.exit_status_of(again) == 0
    fetched = sum("/page/" in place for place in ended.slow_site.take_requests())
    assert 0 < fetched < URLS - 3
    needless = node.schedule(resume=str(run))
    node.wait(needless)
    assert f"{run} is finished: there is nothing to resume." in node.log_of(needless)
    assert node.log_of(needless).endswith("Exit status 0\n")


def test_the_log_of_a_refused_job_says_why(node: Server) -> None:
    job = node.schedule(stie="www.example.com")
    node.wait(job)
    assert "stie is unknown; did you mean site?" in node.log_of(job)
    assert node.exit_status_of(job) == 2
    assert node.log_of(job).endswith("Exit status 2\n")
    assert "Traceback" not in node.log_of(job)
    assert job not in [Manifest.read(run).job for run in node.runs]


def test_jobs_write_no_file_to_the_folder_of_the_server(node: Server) -> None:
    assert {file.name for file in node.folder.iterdir()} == {
        "scrapyd.conf", "output", "eggs", "dbs", "logs",
    }  # fmt: skip


def _report(run: Path) -> str:
    """Return the report of a run without its end time, which a crawl does not know yet."""
    text = (run / "report.html").read_text(encoding="utf-8")
    return re.sub(r"<p>Finished[^.]*\.", "<p>Finished.", text)
