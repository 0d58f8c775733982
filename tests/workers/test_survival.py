"""Whichever process of a run is killed or stopped, nothing is lost, and no process stays."""

import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import psutil
import pytest

from sitemapaudit.demo.server import Reply, ServerRequest
from sitemapaudit.runs.manifest import Manifest, Status
from tests.runs.killing import (
    CONCURRENCY,
    count_repeated,
    finish,
    read_rows,
    start,
    wait_for_run,
)
from tests.runs.site import Site
from tests.support.settings import UNTIMED
from tests.workers.running import PATIENCE, Running, cancel, children_of, interrupt

pytestmark = pytest.mark.xdist_group("workers")

URLS = 140
WORKERS = 2
EARLY = 10
"""Requests for pages that are answered before the workers fetch any."""

SLOW = 10.0
"""Seconds that each later request takes until the workers fetch pages."""

SETTINGS: dict[str, Any] = {**UNTIMED}


class SlowSite(Site):
    """Takes so long that processes can be killed, and longer until it is ``open``."""

    def __init__(self, urls: int) -> None:
        super().__init__(urls)
        self.open = Event()
        self.open.set()
        self._early = count()

    def close(self) -> None:
        """Answer early requests, and the others slowly."""
        self._early = count()
        self.open.clear()

    def release(self) -> None:
        """Answer the slow requests of this moment.

        Workers begin when the main process has fewer.
        """
        self.open.set()
        self.open.clear()

    def _reply(self, request: ServerRequest) -> Reply:
        if "/page/" in request.path:
            time.sleep(0.05)
            if next(self._early) >= EARLY:
                self.open.wait(SLOW)
        return super()._reply(request)


@dataclass
class Whole:
    """The tables and requests of an audit in one process."""

    site: SlowSite
    tables: dict[str, Counter[str]]
    requests: Counter[str]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    audits = tmp_path_factory.mktemp("whole")
    with SlowSite(URLS) as site:
        process = start(audits, f"site={site.origin}", "workers=1", **SETTINGS)
        run = wait_for_run(audits, process)
        finish(process)
        yield Whole(site, read_rows(run), site.take_requests())


def run_workers(
    whole: Whole, audits: Path, resumed: Path | None = None, **settings: Any
) -> Running:
    """Start or resume an audit, and wait until its workers fetch pages, slowly."""
    whole.site.close()
    source, ready = f"site={whole.site.origin}", WORKERS
    if resumed:
        source, ready = f"resume={resumed}", _ready(resumed) + WORKERS
    process = start(audits, source, f"workers={WORKERS}", **SETTINGS, **settings)
    run = resumed or wait_for_run(audits, process)
    while _ready(run) < ready:
        assert process.poll() is None, process.log
        time.sleep(0.05)
    whole.site.release()
    while min(map(_connections, children_of(process))) < 2:
        assert process.poll() is None, process.log
        time.sleep(0.05)
    return Running.of(process, run)


def _ready(run: Path) -> int:
    log = run / "crawl.log"
    return log.read_text().count("A worker is ready") if log.exists() else 0


def _connections(process: psutil.Process) -> int:
    return len(process.net_connections())


def check_equal(run: Path, whole: Whole) -> None:
    tables = read_rows(run)
    for table, rows in whole.tables.items():
        assert tables[table] == rows, table


@dataclass
class Finished:
    """An audit with workers, the files that these had in memory, and its requests."""

    running: Running
    loaded: set[str]
    requests: Counter[str]


@pytest.fixture(scope="module")
def finished(whole: Whole, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    whole.site.take_requests()
    running = run_workers(whole, tmp_path_factory.mktemp("finished"))
    loaded = {Path(each.path).name for worker in running.children for each in worker.memory_maps()}
    whole.site.open.set()
    finish(running.process)
    return Finished(running, loaded, whole.site.take_requests())


def test_workers_find_what_one_process_finds(whole: Whole, finished: Finished) -> None:
    finished.running.check_ended()
    check_equal(finished.running.run, whole)
    fetched = re.search(r"Workers fetched (\d+) pages", finished.running.log)
    assert fetched
    assert int(fetched[1]) > URLS / 4
    assert count_repeated(finished.requests, whole.site) == 0


def test_workers_leave_the_memory_to_the_tables(finished: Finished) -> None:
    assert any("lexbor" in name for name in finished.loaded)
    assert not any("duckdb" in name for name in finished.loaded)
    log = finished.running.log
    assert log.index("Workers fetched") < log.index("Closing spider")


def test_pages_of_a_killed_worker_are_fetched_again(whole: Whole, tmp_path: Path) -> None:
    running = run_workers(whole, tmp_path)
    running.children[0].kill()
    whole.site.open.set()
    finish(running.process)
    running.check_ended()
    check_equal(running.run, whole)
    assert "A worker ended (exit status -9); its " in running.log
    assert count_repeated(whole.site.take_requests(), whole.site) <= CONCURRENCY


def test_one_process_goes_on_when_all_workers_are_killed(whole: Whole, tmp_path: Path) -> None:
    running = run_workers(whole, tmp_path)
    running.starter.kill()
    whole.site.open.set()
    finish(running.process)
    running.check_ended()
    check_equal(running.run, whole)
    assert running.log.count("A worker ended (exit status -9); its ") == WORKERS
    assert count_repeated(whole.site.take_requests(), whole.site) <= CONCURRENCY * 2


def test_a_run_is_resumed_however_it_ends(whole: Whole, tmp_path: Path) -> None:
    run: Path | None = None
    for stop in (interrupt, cancel):
        running = run_workers(whole, tmp_path, run, AUDIT_RESULTS="later")
        run = running.run
        stop(running)
        whole.site.open.set()
        assert running.process.wait(PATIENCE) == 3, stop
        running.check_ended()
        assert Manifest.read(run).status is Status.INTERRUPTED, stop
        # What was in flight was waited for.
        pages = [name for name in whole.site.requests.elements() if "/page/" in name]
        assert len(pages) == len({*pages}), stop
    running = run_workers(whole, tmp_path, run)
    running.process.signal(signal.SIGKILL)
    whole.site.open.set()
    running.check_ended()
    finish(start(tmp_path, f"resume={running.run}", "workers=3", AUDIT_RESULTS="now"))
    check_equal(running.run, whole)
    assert count_repeated(whole.site.take_requests(), whole.site) <= CONCURRENCY * 2
