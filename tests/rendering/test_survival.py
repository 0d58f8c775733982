"""Killing the browser, or the run, loses no page and leaves no process."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

import psutil

from sitemapaudit import open_run
from sitemapaudit.datasets.run import Run
from sitemapaudit.demo.server import Reply
from sitemapaudit.runs.ledger.ledger import ledger_file
from tests.plugins.interpreters.commands import Command
from tests.rendering.site import HTML, ScriptedSite, scripted
from tests.support.commands import scrapy

NUMBER = 7
CONCURRENCY = 4
PAGES = {
    f"/{number}": scripted(
        f"fetch('/slow?{number}').then(() => {{ document.title = 'Rendered {number}' }})"
    )
    for number in range(NUMBER)
}
TITLES = {f"Rendered {number}" for number in range(NUMBER)}
SLOW = {"/slow": Reply("ok", headers=[HTML], delay=0.3)}
PATIENCE = 120

IDLE = 2
"""Seconds without requests, after ten times of which a page is read anyway."""

AT_ONCE = 5 * IDLE
"""Seconds within which pages of a process that has ended are requested again."""


def words_of(process: psutil.Process) -> list[str]:
    """Return the words of a process; none if it has ended, as helpers of a browser do."""
    with suppress(psutil.NoSuchProcess):
        return process.cmdline()
    return []


def is_browser(process: psutil.Process) -> bool:
    words = words_of(process)
    if not words or "chrom" not in process.name():
        return False
    return not any(word.startswith("--type") for word in words)


def is_renderer(process: psutil.Process) -> bool:
    return "--type=renderer" in words_of(process)


class Crawl:
    """An audit in a process of its own that renders every page of a website."""

    def __init__(
        self,
        site: ScriptedSite,
        audits: Path,
        program: str = "scrapy",
        timeout: int = 60,
        **settings: object,
    ) -> None:
        self._site = site
        self._audits = audits
        self._children: list[psutil.Process] = []
        chosen = {
            "AUDIT_DIR": audits,
            "AUDIT_SPEED": "full",
            "AUDIT_RENDER_CONCURRENCY": CONCURRENCY,
            "DOWNLOAD_TIMEOUT": timeout,
            **settings,
        }
        command = ["crawl", "sitemap", "-a", f"site={site.origin}", "-a", "render=always"]
        words = [word for name, value in chosen.items() for word in ("-s", f"{name}={value}")]
        self._process = Command([*command, *words], module=program)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End every process that a failed test has left."""
        if self._process.poll() is None:
            self._children += psutil.Process(self._process.pid).children(recursive=True)
            self._process.kill()
        for child in self._children:
            with suppress(psutil.NoSuchProcess):
                child.kill()

    def wait_for_pages(self, number: int) -> list[psutil.Process]:
        """Wait until the browser has opened a number of pages; return the child processes."""
        ends = time.monotonic() + PATIENCE
        while self._site.times("/slow") < number:
            assert self._process.poll() is None, "the audit ended too early"
            assert time.monotonic() < ends
            time.sleep(0.02)
        self._children = psutil.Process(self._process.pid).children(recursive=True)
        return self._children

    def send(self, number: signal.Signals) -> None:
        os.killpg(self._process.pid, number)

    def end(self, children: list[psutil.Process]) -> int:
        """Return the exit status, after every child process has ended."""
        status = self._process.wait(PATIENCE)
        _, alive = psutil.wait_procs(children, timeout=20)
        assert alive == []
        return status

    @property
    def run(self) -> Run:
        return open_run(self._audits)


def rendered_titles(run: Run) -> set[str]:
    """Return the titles that the scripts have set."""
    return set(run.pages["rendered_title"].dropna())


def test_pages_of_killed_processes_are_rendered_again(tmp_path: Path) -> None:
    with (
        ScriptedSite(PAGES, SLOW) as site,
        Crawl(site, tmp_path, "tests.rendering.short_timeouts", AUDIT_RENDER_IDLE=IDLE) as audit,
    ):
        opened = 0
        for is_victim in (is_browser, is_renderer):
            children = audit.wait_for_pages(opened + 3)
            victims = [child for child in children if is_victim(child)]
            assert victims
            for victim in victims:
                victim.kill()
            psutil.wait_procs(victims)
            opened, killed_at = site.times("/slow"), time.monotonic()
            audit.wait_for_pages(opened + 1)
            assert time.monotonic() - killed_at < AT_ONCE
        assert audit.end(children) == 0
        requests = {path: site.times(path) for path in PAGES}
    assert audit.run.manifest.rendered_pages == NUMBER
    assert audit.run.manifest.failed_renderings == 0
    assert rendered_titles(audit.run) == TITLES
    assert requests == dict.fromkeys(PAGES, 1)


def test_without_its_driver_the_browser_fails_and_the_run_ends(tmp_path: Path) -> None:
    with (
        ScriptedSite(PAGES, SLOW) as site,
        # After these seconds and those of the module, the browser counts as unresponsive.
        Crawl(site, tmp_path, "tests.rendering.short_timeouts", timeout=5) as audit,
    ):
        children = audit.wait_for_pages(3)
        drivers = [child for child in children if "run-driver" in child.cmdline()]
        assert drivers
        for driver in drivers:
            driver.kill()
        assert audit.end(children) == 0
    manifest = audit.run.manifest
    assert manifest.rendered_pages == NUMBER
    assert manifest.failed_renderings == NUMBER - len(rendered_titles(audit.run))
    assert manifest.rules["render-failed"] == manifest.failed_renderings > 0
    assert audit.run.urls["verdict"].unique().tolist() == ["indexable"]


def test_a_page_that_never_rests_times_out_and_leaves_no_process(tmp_path: Path) -> None:
    pages = {"/busy": scripted("setTimeout(() => { while (true); }, 100)"), "/0": PAGES["/0"]}
    with (
        ScriptedSite(pages, SLOW) as site,
        Crawl(site, tmp_path, "tests.rendering.low_limits", timeout=2) as audit,
    ):
        assert audit.end(audit.wait_for_pages(1)) == 0
    pages_of_run = audit.run.pages.set_index("url")
    errors = pages_of_run["rendered_error"].dropna()
    assert errors.to_dict() == {f"{site.origin}/busy": "timeout"}
    assert rendered_titles(audit.run) == {"Rendered 0"}


def test_a_stopped_run_finishes_open_pages_and_leaves_no_process(tmp_path: Path) -> None:
    with ScriptedSite(PAGES, SLOW) as site, Crawl(site, tmp_path) as audit:
        children = audit.wait_for_pages(3)
        audit.send(signal.SIGINT)
        assert audit.end(children) == 3
    assert audit.run.manifest.status == "interrupted"
    assert audit.run.manifest.failed_renderings == 0
    assert len(rendered_titles(audit.run)) >= 3


def test_a_killed_run_leaves_no_process_and_resumed_renders_only_the_missing_pages(
    tmp_path: Path,
) -> None:
    with ScriptedSite(PAGES, SLOW) as site, Crawl(site, tmp_path) as audit:
        children = audit.wait_for_pages(6)
        audit.send(signal.SIGKILL)
        assert audit.end(children) == -signal.SIGKILL
        renderings = ledger_file(next(tmp_path.glob("*/*/run.json")).parent, "renderings")
        before = renderings.read_bytes().count(b"\n")
        done = scrapy("crawl", "sitemap", "-a", f"resume={tmp_path}", "-s", "AUDIT_SPEED=full")
        assert done.returncode == 0, done.stderr
        requests = [site.times(path) for path in PAGES]
    assert rendered_titles(audit.run) == TITLES
    assert audit.run.manifest.failed_renderings == 0
    assert requests.count(1) >= before > 0
    assert max(requests) <= 2
