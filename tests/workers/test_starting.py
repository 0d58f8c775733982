"""The process that starts others forks them if it can, and reports how each of them ends."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader, BufferedWriter
from pathlib import Path
from typing import IO

import psutil
import pytest
from msgspec import Struct

from sitemapaudit.workers.starting import Pipes
from tests.plugins.interpreters.commands import own_environment
from tests.workers.running import PATIENCE

THREAD = """
import threading, time
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
"""
"""What other programs do in each interpreter, such as those that trace it."""


class Started(Struct):
    """Two processes that read sitemaps, and the ends of their pipes in the main process."""

    reports: IO[str]
    orders: list[BufferedWriter]
    answers: list[BufferedReader]
    children: list[psutil.Process]

    def next_report(self) -> list[str]:
        return self.reports.readline().split()


@contextmanager
def start_readers(folder: Path) -> Iterator[Started]:
    """Start two processes with the modules in a folder; end them."""
    with ExitStack() as stack:
        theirs, orders, answers = [], [], []
        for _ in range(2):
            (read, order), (answer, write) = os.pipe(), os.pipe()
            orders.append(stack.enter_context(os.fdopen(order, "wb")))
            answers.append(stack.enter_context(os.fdopen(answer, "rb")))
            theirs.append(Pipes(read, write))
        ends = [end for each in theirs for end in (each.orders, each.answers)]
        starter = subprocess.Popen(
            [sys.executable, "-m", "sitemapaudit.workers", "reader", *map(str, theirs)],
            env={**own_environment(), "PYTHONPATH": str(folder)},
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=ends,
        )
        for end in ends:
            os.close(end)
        assert starter.stdout
        started = Started(stack.enter_context(starter.stdout), orders, answers, [])
        try:
            for _ in range(2):
                kind, pid = started.next_report()
                assert kind == "started"
                started.children.append(psutil.Process(int(pid)))
            yield started
        finally:
            for pipe in orders:
                pipe.close()
            starter.wait(PATIENCE)


@pytest.mark.parametrize(("customized", "are_forks"), [("", True), (THREAD, False)])
def test_each_process_ends_alone(tmp_path: Path, customized: str, *, are_forks: bool) -> None:
    (tmp_path / "sitecustomize.py").write_text(customized)
    with start_readers(tmp_path) as started:
        killed, other = started.children
        # A fork has the arguments of the process that started it.
        assert [len(each.cmdline()) for each in started.children] == [6 if are_forks else 5] * 2
        killed.kill()
        readable, _, _ = select.select(started.answers, [], [], PATIENCE)
        assert readable == started.answers[:1], "another process has this pipe, too"
        assert started.next_report() == ["ended", str(killed.pid), "-9"]
        assert other.is_running()
        started.orders[1].close()
        assert started.next_report() == ["ended", str(other.pid), "0"]


def test_all_end_without_the_main_process(tmp_path: Path) -> None:
    with start_readers(tmp_path) as started:
        started.reports.close()
        for pipe in (*started.orders, *started.answers):
            pipe.close()
        _, alive = psutil.wait_procs(started.children, PATIENCE)
        assert not alive
