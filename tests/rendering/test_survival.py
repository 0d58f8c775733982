"""A browser that is killed, or stopped with the run, costs no page its row."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from sitemapaudit import open_run
from sitemapaudit.datasets.ledger import ledger_file
from sitemapaudit.datasets.run import Run
from sitemapaudit.demo.server import Reply
from tests.rendering.site import HTML, ScriptedSite, scripted
from tests.support import PROJECT, own_environment, scrapy

PAGES = {
    f"/{number}": scripted(
        f"fetch('/slow?{number}').then(() => {{ document.title = 'shown {number}' }})"
    )
    for number in range(24)
}
SLOW = {"/slow": Reply("ok", headers=[HTML], delay=0.3)}
PATIENCE = 120


def is_browser(process: psutil.Process) -> bool:
    words = process.cmdline()
    return "chrom" in process.name() and not any(word.startswith("--type") for word in words)


def is_renderer(process: psutil.Process) -> bool:
    return "--type=renderer" in process.cmdline()


class Crawl:
    """An audit of a website whose every page is rendered, in a process of its own."""

    def __init__(self, site: ScriptedSite, audits: Path) -> None:
        self._site = site
        self._audits = audits
        settings = {"AUDIT_DIR": audits, "AUDIT_SPEED": "full", "DOWNLOAD_TIMEOUT": 5}
        command = [sys.executable, "-m", "scrapy", "crawl", "sitemap", "-a", f"site={site.origin}"]
        words = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
        self._process = subprocess.Popen(
            [*command, "-a", "render=always", *words],
            cwd=PROJECT,
            env=own_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def wait_for_pages(self, number: int) -> list[psutil.Process]:
        """Wait until so many pages were open; return the processes that the audit has started."""
        ends = time.monotonic() + PATIENCE
        while self._site.times("/slow") < number:
            assert time.monotonic() < ends
            time.sleep(0.02)
        return psutil.Process(self._process.pid).children(recursive=True)

    def send(self, number: signal.Signals) -> None:
        os.killpg(self._process.pid, number)

    def end(self, children: list[psutil.Process]) -> int:
        """Return the exit status, when every process that was started is gone."""
        status = self._process.wait(PATIENCE)
        _, alive = psutil.wait_procs(children, timeout=20)
        assert alive == []
        return status

    @property
    def run(self) -> Run:
        return open_run(self._audits)


def shown(run: Run) -> set[str]:
    """Return the titles that only a browser sees."""
    return set(run.pages["rendered_title"].dropna())


EVERY = {f"shown {number}" for number in range(24)}


@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("is_victim", [is_browser, is_renderer])
def test_processes_killed_with_9(
    tmp_path: Path, is_victim: Callable[[psutil.Process], bool]
) -> None:
    with ScriptedSite(PAGES, SLOW) as site:
        audit = Crawl(site, tmp_path)
        children = audit.wait_for_pages(5)
        victims = [child for child in children if is_victim(child)]
        assert victims
        for victim in victims:
            victim.kill()
        assert audit.end(children) == 0
        asked = {path: site.times(path) for path in PAGES}
    assert audit.run.manifest.rendered == 24
    assert audit.run.manifest.unrendered == 0
    assert shown(audit.run) == EVERY
    assert asked == dict.fromkeys(PAGES, 1)


@pytest.mark.xdist_group("browser")
def test_a_driver_that_is_gone_ends_as_rows_and_the_run_ends_too(tmp_path: Path) -> None:
    with ScriptedSite(PAGES, SLOW) as site:
        audit = Crawl(site, tmp_path)
        children = audit.wait_for_pages(5)
        drivers = [child for child in children if "run-driver" in child.cmdline()]
        assert drivers
        for driver in drivers:
            driver.kill()
        assert audit.end(children) == 0
    manifest = audit.run.manifest
    assert manifest.rendered == 24
    assert manifest.unrendered == 24 - len(shown(audit.run))
    assert manifest.rules["render-failed"] == manifest.unrendered > 0
    assert audit.run.urls["verdict"].unique().tolist() == ["indexable"]


@pytest.mark.xdist_group("browser")
def test_a_run_that_is_stopped_ends_what_it_began_and_leaves_no_process(tmp_path: Path) -> None:
    with ScriptedSite(PAGES, SLOW) as site:
        audit = Crawl(site, tmp_path)
        children = audit.wait_for_pages(3)
        audit.send(signal.SIGINT)
        assert audit.end(children) == 3
    assert audit.run.manifest.status == "interrupted"
    assert audit.run.manifest.unrendered == 0
    assert len(shown(audit.run)) >= 3


@pytest.mark.xdist_group("browser")
def test_a_run_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    with ScriptedSite(PAGES, SLOW) as site:
        audit = Crawl(site, tmp_path)
        children = audit.wait_for_pages(3)
        audit.send(signal.SIGKILL)
        assert audit.end(children) == -signal.SIGKILL


@pytest.mark.xdist_group("browser")
def test_a_run_that_is_killed_goes_on_with_what_was_not_shown(tmp_path: Path) -> None:
    with ScriptedSite(PAGES, SLOW) as site:
        audit = Crawl(site, tmp_path)
        children = audit.wait_for_pages(10)
        audit.send(signal.SIGKILL)
        audit.end(children)
        ended = ledger_file(next(tmp_path.glob("*/*/run.json")).parent, "renderings")
        before = ended.read_bytes().count(b"\n")
        done = scrapy("crawl", "sitemap", "-a", f"resume={tmp_path}", "-s", "AUDIT_SPEED=full")
        assert done.returncode == 0, done.stderr
        asked = [site.times(path) for path in PAGES]
    assert shown(audit.run) == EVERY
    assert audit.run.manifest.unrendered == 0
    assert asked.count(1) >= before > 0
    assert max(asked) <= 2
