"""``sitemapaudit distribute``: the shards of an audit on a real cluster, whatever happens to it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from sitemapaudit import open_run
from sitemapaudit.distribution.distributed_audit import DistributedAudit, Order
from sitemapaudit.distribution.shard_task import STOP, Outcome, run_audit
from tests.distribution.cluster import Cluster
from tests.plugins.interpreters.commands import own_environment
from tests.runs.killing import finish, read_rows, start
from tests.runs.site import Site
from tests.support.commands import run_in_process
from tests.support.paths import PROJECT

URLS = 30
TIMEOUT = 120


def distribute(audits: Path, *words: str) -> "subprocess.Popen[str]":
    """Start the command."""
    return subprocess.Popen(
        [sys.executable, "-m", "sitemapaudit", "distribute", *words, "--dir", str(audits)],
        cwd=audits.parent,
        env={**own_environment(), "PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def working(worker: "subprocess.Popen[bytes]") -> list[psutil.Process]:
    """Return the audits that a worker started and that have begun to fetch."""
    children = psutil.Process(worker.pid).children()
    return [
        each for each in children if "--shard" in each.cmdline() or "--resume" in each.cmdline()
    ]


@pytest.fixture
def audits(tmp_path: Path) -> Path:
    return tmp_path / "audits"


def refused(audits: Path, *words: str) -> str:
    """Run a command that must be refused; return its sentence."""
    done = run_in_process("distribute", *words, "--dir", str(audits))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done
    return done.stderr


def test_what_cannot_be_distributed_is_one_sentence(audits: Path) -> None:
    assert "Nothing to audit" in refused(audits)
    assert "a sample needs no shards" in refused(audits, "www.example.com", "--pages", "10")
    assert "--shard is unknown" in refused(audits, "www.example.com", "--shard", "1/2")
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    assert f"--on: {address} is not reached" in refused(audits, "a.example", "--on", address)
    assert not audits.exists()


def test_the_same_order_continues_an_audit_until_it_is_merged(audits: Path) -> None:
    order = Order({"site": "a.example", "agent": "Bingbot", "links": "crawl"}, {"X": "1"}, 2)
    first = DistributedAudit.open(audits, "a.example", order)
    first.stop()
    again = DistributedAudit.open(audits, "a.example", order)
    assert (again, (again.folder / STOP).exists()) == (first, False)
    others = DistributedAudit.open(audits / "2", "a.example", Order(order.arguments, {}, 3))
    assert others.folder.parent != first.folder.parent
    assert first.read_words() == [
        "a.example", "--agent=Bingbot", "--pages", "none", "--exit-zero", "-s", "X=1",
    ]  # fmt: skip
    run = Path(first.read_folder) / "a.example" / "now"
    run.mkdir(parents=True)
    (run / "run.json").touch()
    assert first.shard_words(2) == [
        "--entries-from", str(run), "--shard", "2/2", "--links=crawl",
        "--results", "later", "--exit-zero", "-s", "X=1",
    ]  # fmt: skip
    first.note_merged(run)
    (first.folder / "audit.json").write_text("{}")
    assert DistributedAudit.open(audits, "a.example", order).folder != first.folder


def test_a_task_that_is_refused_is_not_repeated(tmp_path: Path) -> None:
    folder = tmp_path / "shards" / "1"
    outcome = run_audit(str(folder), ["a.example", "--pages", "x"])
    assert (outcome.finished, "'x' is not all, none" in outcome.refusal) == (False, True)
    (tmp_path / STOP).touch()
    assert run_audit(str(folder), ["a.example"]) == Outcome(str(folder), finished=False)


def test_whatever_happens_to_the_cluster_the_run_is_that_of_one_machine(tmp_path: Path) -> None:
    (tmp_path / "cluster").mkdir()
    with Site(URLS) as site, Cluster(tmp_path / "cluster") as cluster:
        finish(start(tmp_path / "one", f"site={site.origin}"))
        first, second = cluster.start_worker("first"), cluster.start_worker("second")
        words = (site.origin, "--shards", "3", "--on", cluster.address)
        command = distribute(tmp_path / "audits", *words, "-s", "DOWNLOAD_DELAY=0.2")
        shards = tmp_path / "audits" / "distributed"
        wait_until(
            lambda: (
                command.poll() is not None
                or len([*shards.glob("*/*/shards/*/*/*/log/pages.jsonl")]) >= 2
            )
        )
        orphans = working(first)
        first.kill()
        os.kill(second.pid, signal.SIGSTOP)
        cluster.start_worker("third")
        wait_until(lambda: [*shards.glob("*/*/shards/3/*/*/log/pages.jsonl")])
        assert not psutil.wait_procs(orphans, timeout=30)[1]
        cluster.restart_scheduler()
        cluster.start_worker("fourth")
        output, errors = command.communicate(timeout=TIMEOUT)
    assert (command.returncode, "3 of 3 shards done" in errors) == (0, True), (output, errors)
    (merged,) = (tmp_path / "audits").glob("127.0.0.1-*/*-merged")
    run = open_run(merged)
    assert run.manifest.complete, run.manifest.reason
    tables, whole = read_rows(run.path), read_rows(open_run(tmp_path / "one").path)
    for table, rows in whole.items():
        assert tables[table] == rows, table
