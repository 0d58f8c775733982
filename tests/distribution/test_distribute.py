"""``sitemapaudit distribute``: the shards of an audit on a real cluster, whatever happens to it."""

import re
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import closing
from io import StringIO
from pathlib import Path
from threading import Event, Lock
from typing import Any

import psutil
import pytest

from sitemapaudit import open_run
from sitemapaudit.cli.task_progress import RefusedError, TaskProgress
from sitemapaudit.demo.server import Reply, ServerRequest
from sitemapaudit.distribution import cluster
from sitemapaudit.distribution.cluster import Task
from sitemapaudit.distribution.distributed_audit import DistributedAudit, Order
from sitemapaudit.distribution.shard_task import STOP, Outcome, run_audit
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.merging.stores import open_stored_run
from sitemapaudit.runs.progress_report import ProgressReport
from tests.alerts.receiver import SECRET, Receiver
from tests.crawling.sharding.clocked import Clocked
from tests.distribution.cluster import Cluster
from tests.plugins.interpreters.commands import Command
from tests.runs.killing import count_repeated, finish, read_rows, start
from tests.runs.site import Site
from tests.support.commands import TIMEOUT, run_in_process
from tests.support.store import Store

URLS = 60
ONE_AT_A_TIME = ("--speed", "full", "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=3")
"""For each of three shards; a shard that is resumed has no other limit."""

INTERRUPTIONS = 5
"""Shards that are stopped: one itself, one with its worker, and up to three with the scheduler."""


class SlowSite(Site):
    """A site whose pages take three seconds until it is quick."""

    def __init__(self, urls: int) -> None:
        super().__init__(urls)
        self.quick = Event()
        self.at_once = 0
        self._pending = 0
        self._lock = Lock()

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path.startswith("/page/"):
            self._count(1)
            self.quick.wait(3)
            self._count(-1)
        return super()._reply(request)

    def _count(self, change: int) -> None:
        with self._lock:
            self._pending += change
            self.at_once = max(self.at_once, self._pending)


def distribute(audits: Path, *words: str) -> Command:
    """Start the command."""
    arguments = ["distribute", *words, "--dir", str(audits), "--resources", "egress=1"]
    return Command(arguments, module="sitemapaudit")


def wait_until(condition: Callable[[], object], command: Command) -> None:
    """Wait until something is true; a failure shows what a command said."""
    end = time.monotonic() + TIMEOUT / 2
    while not condition():
        assert time.monotonic() < end, command.log
        time.sleep(0.1)


def audit_of(process: Command) -> list[psutil.Process]:
    """Return the audit that a worker started."""
    return psutil.Process(process.pid).children()


def left_over(folder: Path) -> list[str]:
    """Return the audits that still run below a folder."""
    running = psutil.process_iter(["cmdline"])
    lines = [" ".join(process.info["cmdline"] or ()) for process in running]
    return [line for line in lines if str(folder) in line]


@pytest.fixture
def audits(tmp_path: Path) -> Path:
    return tmp_path / "audits"


def refused(audits: Path, *words: str) -> str:
    """Run a command that must be refused; return its sentence."""
    done = run_in_process("distribute", *words, "--dir", str(audits))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done
    return done.stderr


def test_what_cannot_be_distributed_is_one_sentence(
    audits: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_TIMEOUT", "1s")
    assert "Nothing to audit" in refused(audits)
    assert "a sample needs no shards" in refused(audits, "www.example.com", "--pages", "10")
    assert "--shard is unknown" in refused(audits, "www.example.com", "--shard", "1/2")
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    assert f"--on: {address} is not reached" in refused(audits, "a.example", "--on", address)
    assert not audits.exists()


def test_the_same_order_continues_an_audit_until_it_is_merged(audits: Path) -> None:
    order = Order({"site": "a.example", "agent": "Bingbot", "links": "crawl"}, {"X": "1"}, 2)
    first = DistributedAudit.open(str(audits), "a.example", order)
    first.stop()
    again = DistributedAudit.open(str(audits), "a.example", order)
    assert (again.folder, again.place.read(STOP)) == (first.folder, None)
    others = DistributedAudit.open(str(audits), "a.example", Order(order.arguments, {}, 3))
    assert others.folder != first.folder
    assert first.read_words() == [
        "a.example", "--agent=Bingbot", "--pages", "none", "--exit-zero", "-s", "X=1",
    ]  # fmt: skip
    run = Path(first.read_folder) / "a.example" / "now"
    run.mkdir(parents=True)
    Manifest({}, {}, {}, "2026-11-21T12:00:00Z").write(run)
    assert first.shard_words(2) == [
        "--entries-from", str(run), "--shard", "2/2", "--links=crawl",
        "--results", "later", "--exit-zero", "-s", "X=1",
    ]  # fmt: skip
    first.note_merged(str(run))
    (Path(first.folder) / "audit.json").write_text("{}")
    assert DistributedAudit.open(str(audits), "a.example", order).folder != first.folder


def test_a_task_that_is_refused_is_not_repeated(tmp_path: Path) -> None:
    folder = tmp_path / "shards" / "1"
    outcome = run_audit(str(folder), ["a.example", "--pages", "x"])
    assert (outcome.finished, "'x' is not all, none" in outcome.refusal) == (False, True)
    (tmp_path / STOP).touch()
    assert run_audit(str(folder), ["a.example"]) == Outcome(str(folder), finished=False)


def test_the_counts_of_all_shards_are_one_progress(capsys: pytest.CaptureFixture[str]) -> None:
    tasks = [Task(f"name-{number}", f"shard {number}", "", ()) for number in (1, 2, 3)]
    with TaskProgress(3, listed=30) as progress:
        progress.report(tasks[0], ProgressReport(done=3, listed=9, findings=1))
        progress.report(tasks[0], ProgressReport(done=4, listed=9, findings=2))  # At once.
        progress.end(tasks[1], Outcome("", finished=True))  # It was finished before.
        progress.report(tasks[2], ProgressReport(done=3, listed=12, all_listed=1))
        progress.end(tasks[2], Outcome("", finished=True))
        progress.end(tasks[0], Outcome("", finished=False))
        progress.report(tasks[0], ProgressReport(done=9, listed=9, findings=4, all_listed=1))
        progress.end(tasks[0], Outcome("", finished=True))
        with pytest.raises(RefusedError, match="no"):
            progress.end(tasks[0], Outcome("", finished=False, refusal="no"))
    assert capsys.readouterr().err.splitlines() == [
        "0 of 3 shards done · 3 of 30 URLs · 1 finding",
        "1 of 3 shards done · 14 of 30 URLs · 2 findings",
        "2 of 3 shards done · 26 of 30 URLs · 2 findings",
        "3 of 3 shards done · 30 of 30 URLs · 4 findings",
    ]


def test_a_terminal_shows_one_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    task = Task("name-1", "shard 1", "", ())
    with TaskProgress(2, listed=30) as progress:
        progress.report(task, ProgressReport(done=4, listed=16, findings=2))
        progress.note("A sentence.")
        progress.end(task, Outcome("", finished=True))
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())
    assert "A sentence.\n" in shown
    assert re.search(r"1 of 2 shards done .* 16 of 30 URLs · .*2 findings\s*$", shown)


def test_whatever_happens_to_the_cluster_the_run_is_that_of_one_machine(tmp_path: Path) -> None:
    (tmp_path / "cluster").mkdir()
    audits = tmp_path / "audits"
    shards = audits / "distributed"
    receiver = Receiver()
    with SlowSite(URLS) as site, Cluster(tmp_path / "cluster") as dask, closing(receiver):
        site.quick.set()
        finish(start(tmp_path / "one", f"site={site.origin}", AUDIT_SLOW_SECONDS=0))
        site.take_requests()
        site.quick.clear()
        site.at_once = 0
        more = ("-s", "AUDIT_SLOW_SECONDS=0", "--notify", receiver.address("merged"))
        words = (site.origin, "--shards", "3", "--on", dask.address, *ONE_AT_A_TIME, *more)
        command = distribute(audits, *words)
        wait_until(lambda: "Waiting for a worker with egress=1" in command.log, command)
        workers = [dask.start_worker(str(number)) for number in range(4)]
        wait_until(lambda: len([*shards.glob("*/*/shards/*/*/*/log/pages.jsonl")]) == 3, command)
        # Each worker has two threads, and one address.
        killed, frozen, third = filter(audit_of, workers)
        orphans, (failed,) = audit_of(killed), audit_of(third)
        failed.kill()  # The task is repeated.
        killed.signal(signal.SIGKILL)
        frozen.signal(signal.SIGSTOP)
        wait_until(lambda: command.log.count("is gone. Resumed elsewhere: shard") == 2, command)
        command.signal(signal.SIGKILL)
        again = distribute(audits, *words)
        wait_until(lambda: "0 of 3 shards done" in again.log, again)
        assert not psutil.wait_procs(orphans, timeout=TIMEOUT)[1]
        dask.restart_scheduler()
        wait_until(lambda: "is back" in again.log, again)
        site.quick.set()
        dask.start_worker("4")
        dask.start_worker("5")
        assert again.wait(TIMEOUT) == 0, again.log
        requests = site.take_requests()
        wait_until(lambda: not left_over(tmp_path), again)
    assert again.log.count("is gone. Trying for 5 minutes") == again.log.count("is back") == 1
    assert "3 of 3 shards done · 60 of 60 URLs" in again.log
    assert "Traceback" not in command.log + again.log
    # The site still answers those whose client was killed.
    assert site.at_once <= 3 + INTERRUPTIONS
    # The targets of redirects are fetched by each shard that finds them.
    targets = {f"{site.origin}/page/{number}".removeprefix("http://") for number in (0, 20, 40)}
    repeated = [url for url, number in requests.items() if number > 1 and url not in targets]
    assert len(repeated) <= INTERRUPTIONS
    (merged,) = audits.glob("127.0.0.1-*/*-merged")
    run = open_run(merged)
    assert run.manifest.complete, run.manifest.reason
    tables, whole = read_rows(run.path), read_rows(open_run(tmp_path / "one").path)
    for table, rows in whole.items():
        assert tables[table] == rows, table
    check_alert(receiver, merged, command.log + again.log)


def check_alert(receiver: Receiver, merged: Path, log: str) -> None:
    """Check that a merged run has sent one alert, and that nothing shows where to."""
    (alert,) = receiver.received
    assert str(merged / "report.html") in alert["message"]
    files = [file for file in merged.parents[1].rglob("*") if file.is_file()]
    assert [file for file in files if SECRET.encode() in file.read_bytes()] == []
    assert SECRET not in log


def test_shards_on_this_machine_share_the_speed_and_stop(tmp_path: Path) -> None:
    """The pages are those of a list."""
    with Clocked(60, "Crawl-delay: 0.25") as site:
        pages = tmp_path / "pages.csv"
        lines = ["url", *(f"{site.origin}/page/{number}" for number in range(60))]
        pages.write_text("\n".join(lines))
        command = distribute(tmp_path / "audits", "--urls", str(pages), "--shards", "4")
        wait_until(lambda: len(site.times) >= 30, command)
        command.signal(signal.SIGTERM)
        assert command.wait(TIMEOUT) == 3, command.log
        wait_until(lambda: not left_over(tmp_path), command)
        assert len(site.times) < 60
    # The first request of each shard is not delayed.
    assert site.rate < 4 * 1.25
    assert site.at_once <= 4
    assert "60 listed URLs in 4 shards, which share the speed of one audit\n" in command.log
    assert "\n0 of 4 shards done · " in command.log
    assert command.log.endswith("\nStopped: the same command continues this audit.\n")


def test_a_task_is_continued_from_a_store_on_any_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = Order({"site": "a.example"}, {}, 1)
    with Site(20) as site, Store() as store:
        for name, value in store.environment.items():
            monkeypatch.setenv(name, value)
        store.create_bucket("audits")
        audit = DistributedAudit.open("s3://audits/all", "a.example", order)
        folder, words = audit.shard_folder(1), audit.read_words()
        slow: dict[str, Any] = {
            "AUDIT_UPLOAD": folder,
            "AUDIT_RESULTS": "later",
            "DOWNLOAD_DELAY": 0.05,
        }
        lost = start(tmp_path / "lost", f"site={site.origin}", **slow)
        while sum(site.requests.values()) < 18:
            time.sleep(0.1)
        lost.signal(signal.SIGTERM)
        assert lost.wait(TIMEOUT) == 3, lost.log
        assert run_audit(folder, words).finished
        assert count_repeated(site.take_requests(), site) == 0
        assert run_audit(folder, words).finished
        assert not site.take_requests()
        audit.stop()
        assert not run_audit(folder, words).finished
        again = DistributedAudit.open("s3://audits/all", "a.example", order)
        assert (again.folder, again.place.read(STOP)) == (audit.folder, None)
        assert open_stored_run(folder).address.startswith(f"{folder}/127.0.0.1-")
