"""Audits as jobs of a real Scrapyd, deployed by scrapyd-deploy."""

import re
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sitemapaudit import open_run
from sitemapaudit.datasets.manifest import Status
from tests.rendering.site import ScriptedSite, scripted
from tests.resuming.site import Site
from tests.scrapyd.node import JOBS, Node
from tests.support import PROJECT, scrapy

pytestmark = pytest.mark.xdist_group("scrapyd")

URLS = 40


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(URLS) as served:
        yield served


def test_the_egg_holds_all_of_the_package_and_nothing_else(node: Node) -> None:
    with zipfile.ZipFile(node.eggs[0]) as egg:
        names = {name for name in egg.namelist() if not name.startswith("EGG-INFO/")}
    package = (PROJECT / "sitemapaudit").rglob("*")
    files = {file for file in package if file.is_file() and "__pycache__" not in file.parts}
    assert names == {str(file.relative_to(PROJECT)) for file in files}


def test_a_job_leaves_its_outcome_where_the_setting_says(node: Node, site: Site) -> None:
    settings = {"AUDIT_FORMATS": "xlsx,jsonl", "AUDIT_FAIL_ON": "error"}
    job = node.schedule(settings, site=site.origin, pages="20")
    node.wait(job)
    manifest = node.manifest_of(job)
    assert (manifest.status, manifest.complete, manifest.job) == (Status.FINISHED, True, job)
    assert manifest.arguments["pages"] == 20
    assert manifest.settings["AUDIT_FAIL_ON"] == "error"
    assert manifest.rows["urls"] == URLS
    assert node.exit_status_of(job) == 1
    run = node.run_of(job)
    assert run is not None
    assert {"report.html", "audit.xlsx", "urls.jsonl"} <= {file.name for file in run.iterdir()}
    report = _report(run)
    assert scrapy("report", str(run)).returncode == 0
    assert _report(run) == report


def test_a_job_that_was_cancelled_is_resumed(node: Node) -> None:
    with Site(URLS) as site:
        pages = site.server.asked
        job = node.schedule({"DOWNLOAD_DELAY": 0.2}, site=site.origin)
        node.until(lambda: sum("/page/" in place for place in list(pages)) > 3)
        node.cancel(job)
        node.wait(job)
        manifest = node.manifest_of(job)
        assert (manifest.status, manifest.reason) == (Status.INTERRUPTED, "the run was stopped")
        assert not manifest.complete
        assert node.exit_status_of(job) == 3
        run = node.run_of(job)
        site.take_asked()
        again = node.schedule(resume=str(run))
        node.wait(again)
    manifest = node.manifest_of(again)
    assert node.run_of(again) == run
    assert (manifest.status, manifest.complete, manifest.job) == (Status.FINISHED, True, again)
    assert node.exit_status_of(again) == 0
    asked = sum("/page/" in place for place in site.take_asked())
    assert 0 < asked < URLS


def test_a_job_opens_pages_in_the_browser(node: Node) -> None:
    script = scripted("document.title = 'Made by a script'")
    with ScriptedSite({"/scripted": script}) as site:
        job = node.schedule(site=site.origin, render="always")
        node.wait(job)
    assert node.manifest_of(job).rendered == 1
    run = node.run_of(job)
    assert run is not None
    assert open_run(run).pages["rendered_title"].tolist() == ["Made by a script"]


def test_jobs_at_once_do_not_disturb_each_other(node: Node) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(Site(URLS + more)) for more in range(JOBS)]
        jobs = [node.schedule({"DOWNLOAD_DELAY": 0.05}, site=each.origin) for each in sites]
        node.until(lambda: len(node.jobs("running")) == JOBS)
        node.wait(*jobs)
    for site, job in zip(sites, jobs, strict=True):
        manifest = node.manifest_of(job)
        assert manifest.complete
        assert manifest.arguments["site"] == site.origin
        assert manifest.rows["urls"] == site.urls
        run = node.run_of(job)
        assert run is not None
        assert set(open_run(run).urls["url"].str.rpartition("/page/")[0]) == {site.origin}


def test_why_a_job_was_refused_stands_in_its_log(node: Node) -> None:
    misspelt, unset = node.schedule(stie="www.example.com"), node.schedule({"AUDIT_SPEED": "mad"})
    node.wait(misspelt, unset)
    assert "stie is not known: perhaps site is meant." in node.log_of(misspelt)
    assert "AUDIT_SPEED: 'mad' is none of polite, full." in node.log_of(unset)
    for job in (misspelt, unset):
        assert node.exit_status_of(job) == 2
        assert node.run_of(job) is None
        assert "Traceback" not in node.log_of(job)


def test_nothing_is_left_where_the_node_runs(node: Node) -> None:
    assert {file.name for file in node.folder.iterdir()} == {
        "scrapyd.conf", "output", "eggs", "dbs", "logs",
    }  # fmt: skip


def _report(run: Path) -> str:
    """Return the page of a run, but for when that ended: a crawl does not know it yet."""
    text = (run / "report.html").read_text(encoding="utf-8")
    return re.sub(r"<p>Finished[^.]*\.", "<p>Finished.", text)
