"""Whichever process of a run is killed or stopped, nothing is lost, and no process stays."""

import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
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

URLS = 200
WORKERS = 2
EARLY = 40
"""Requests for pages that are answered before the workers fetch any."""


SLOW = 2.0
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


def run_workers(whole: Whole, audits: Path) -> Running:
    """Start an audit, and wait until its workers have fetched pages."""
    whole.site.close()
    process = start(audits, f"site={whole.site.origin}", f"workers={WORKERS}", **SETTINGS)
    run = wait_for_run(audits, process)
    while len(workers := children_of(process)) < WORKERS or min(map(_connections, workers)) < 2:
        assert process.poll() is None, process.log
        time.sleep(0.05)
    whole.site.open.set()
    return Running.of(process, run)


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
    finish(running.process)
    running.check_ended()
    check_equal(running.run, whole)
    assert "A worker ended (exit status -9); its " in running.log
    assert count_repeated(whole.site.take_requests(), whole.site) <= CONCURRENCY


@pytest.mark.parametrize("killed", ["children", "starter"])
def test_one_process_goes_on_when_all_workers_are_killed(
    whole: Whole, tmp_path: Path, killed: str
) -> None:
    running = run_workers(whole, tmp_path)
    for process in running.children if killed == "children" else [running.starter]:
        process.kill()
    finish(running.process)
    running.check_ended()
    check_equal(running.run, whole)
    assert running.log.count("A worker ended (exit status -9); its ") == WORKERS
    assert count_repeated(whole.site.take_requests(), whole.site) <= CONCURRENCY * 2


def test_workers_end_with_a_killed_main_process(whole: Whole, tmp_path: Path) -> None:
    running = run_workers(whole, tmp_path)
    running.process.signal(signal.SIGKILL)
    running.check_ended()
    finish(start(tmp_path, f"resume={running.run}", "workers=3"))
    check_equal(running.run, whole)
    assert count_repeated(whole.site.take_requests(), whole.site) <= CONCURRENCY * 2


@pytest.mark.parametrize("stop", [interrupt, cancel])
def test_a_stopped_run_is_resumed(
    whole: Whole, tmp_path: Path, stop: Callable[[Running], None]
) -> None:
    running = run_workers(whole, tmp_path)
    stop(running)
    assert running.process.wait(PATIENCE) == 3
    running.check_ended()
    assert Manifest.read(running.run).status is Status.INTERRUPTED
    finish(start(tmp_path, f"resume={running.run}"))
    check_equal(running.run, whole)
    # What was in flight was waited for.
    assert count_repeated(whole.site.take_requests(), whole.site) == 0
